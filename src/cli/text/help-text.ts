import { EXIT_MEANINGS } from "./exit-codes.ts";

/** What `miracle --help` says below the list of commands. */
export function helpAfter(): string {
  const codes = Object.entries(EXIT_MEANINGS).map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`);
  return `
Examples:
  miracle run "Build a CLI that counts words in a file"
  miracle run "Fix the failing test" --max-cost 2 --model anthropic/claude-sonnet-5-5
  miracle run --direct "Rename foo to bar" --accept "npm test"
  echo "A longer goal" | miracle run -
  miracle run "…" --base-url http://localhost:8080/v1 --model qwen3-coder
  miracle resume --last
  miracle diff, miracle undo          the newest task of this directory, or the one whose ID you give
  miracle prove --base origin/main -o evidence
  miracle serve

Results go to stdout, progress goes to stderr. Settings: flags, then environment, then .miracle/ of the project, then
~/.config/miracle/, then what ships (\`miracle config\` shows all). \`miracle doctor\` tells what is missing on this machine.

Exit codes:
${codes.join("\n")}
`;
}
