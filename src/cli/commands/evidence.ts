import type { Command } from "commander";
import { filesWithSecrets } from "../../app/files-with-secrets.ts";
import { evidenceJsonSchema } from "../../domain/evidence/evidence-document.ts";
import { exportCassette } from "../../journal/cassette.ts";
import { treesForRerun } from "../../verify/evidence/cassette-trees.ts";
import { renderComment } from "../../verify/evidence/comment.ts";
import { renderPage } from "../../verify/evidence/page.ts";
import { evidenceOfTask } from "../task/evidence-of-task.ts";
import { openTask } from "../task/open-task.ts";
import { writeEvidence } from "../task/write-evidence.ts";
import type { CommandContext } from "../terminal/command-context.ts";

interface Flags {
  last?: boolean;
  output?: string;
  force?: boolean;
  sign?: string;
  json?: boolean;
  comment?: boolean;
  schema?: boolean;
}

const HELP = `
A bundle is a directory: evidence.json, the same as pages (evidence.md, evidence.html), junit.xml, ctrf.json, the change as a patch, the
tests, both trees, the journal as a cassette (of \`prove\`: measurements.json), and manifest.sha256 over every file. The
hash of the manifest is the root hash. Anyone can check it: \`miracle verify DIRECTORY\`, or
\`sha256sum --check manifest.sha256\`.

Examples:
  miracle evidence --last                    read it
  miracle evidence ID -o evidence            write the bundle
  miracle evidence ID -o evidence --sign ~/.ssh/id_ed25519`;

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("--last", "the newest task of this directory, or of all where it has none")
    .option("-o, --output <directory>", "write the bundle there; without it the page is printed")
    .option("-f, --force", "replace a bundle that is there")
    .option("--sign <key>", "sign the bundle with this private key, as ssh-keygen -Y sign does")
    .option("--comment", "at most ten lines of Markdown, for a pull request")
    .option("--json", "the evidence as JSON on stdout")
    .option("--schema", "print the JSON Schema of evidence.json")
    .addHelpText("after", HELP)
    .action(async (id: string | undefined, flags: Flags) => {
      const { output } = terminal;
      if (flags.schema) {
        output.write(`${JSON.stringify(evidenceJsonSchema(), null, 2)}\n`);
        return;
      }
      await using opened = await openTask(terminal, id, flags);
      const { app, task, config } = opened;
      const { document, unseen } = await evidenceOfTask(app, task.id);
      if (flags.output === undefined) {
        const page = flags.comment ? renderComment(document) : renderPage(document);
        output.write(flags.json ? `${JSON.stringify(document)}\n` : page);
        return;
      }
      const recording = await app.recording(task.id);
      const { baseTree, resultTree } = document.hashes;
      const trees = await treesForRerun(recording, app.artifacts, {
        known: [baseTree, resultTree],
        mayLeave: (tree) => filesWithSecrets(tree, config.secrets).length === 0,
      });
      const cassette = `${JSON.stringify(await exportCassette(recording, trees))}\n`;
      const sources = { document, artifacts: app.artifacts, moreTests: unseen, cassette, secrets: config.secrets };
      const { directory, root } = await writeEvidence(terminal, sources, { ...flags, output: flags.output });
      output.write(
        flags.json
          ? `${JSON.stringify({ directory, root })}\n`
          : `evidence of task ${task.id} in ${flags.output}, root hash ${root}\n`,
      );
    });
}
