import { createHash } from "node:crypto";
import type { ApprovalAnswer, Asked } from "../../domain/approval.ts";
import type { Finding } from "../../domain/finding.ts";
import { type SafetySettings, strictSafety } from "../../domain/settings/safety-settings.ts";
import type { EventBody } from "../../domain/task/event.ts";
import type { WantedPackage } from "../../environments/wanted-package.ts";
import type { CommandRuling, Safety } from "../../safety/safety.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { Change } from "../../workspace/changes.ts";
import type { OutsidePlace } from "../../workspace/outside-place.ts";

/** Thrown inside an effect that must not go on. The model reads `content`; people and programs read the event. */
export class Refused extends Error {
  readonly content: string;
  readonly event: EventBody & { type: "safety-refused" };

  constructor(content: string, event: Omit<EventBody & { type: "safety-refused" }, "type">) {
    super(content);
    this.name = "Refused";
    this.content = content;
    this.event = { type: "safety-refused", ...event };
  }
}

/** Thrown inside an effect that needs an approval to go on. */
export class Asking extends Error {
  readonly asked: Asked;

  constructor(asked: Asked) {
    super(asked.question);
    this.name = "Asking";
    this.asked = asked;
  }
}

export interface Remembered {
  asked: Asked;
  answer: ApprovalAnswer;
}

const SHOWN_FINDINGS = 10;
const SHOWN_PACKAGES = 5;
const LINE_CHARACTERS = 2000;
const WHY_CHARACTERS = 300;
/** A larger file is reported as large, whatever its content. */
const MOST_BYTES = 5 << 20;

/**
 * Judges what a model wants to execute before it is executed. Used inside effects. `startFrom` and `remember` depend on
 * recorded steps alone, so a resumed run judges like the run before it.
 */
export class Warden {
  readonly #safety: Safety;
  readonly #artifacts: ArtifactStore;
  readonly #policy: SafetySettings;
  readonly #describe: (wanted: WantedPackage) => Promise<string[]>;
  readonly #answers = new Map<string, ApprovalAnswer>();
  readonly #remembered: Remembered[] = [];
  /** Questions about packages to which the answer was yes. */
  readonly #allowed = new Set<string>();
  readonly #outside = new Set<string>();
  #base: string | undefined;
  /** The findings of the last scan by file. A file that has not changed since is not scanned again. */
  #scanned = new Map<string, Finding[]>();

  /** `describe` says what the index of a package says of it, for the person who is asked. */
  constructor(
    safety: Safety,
    artifacts: ArtifactStore,
    policy: SafetySettings | undefined,
    describe: (wanted: WantedPackage) => Promise<string[]> = async () => [],
  ) {
    this.#describe = describe;
    this.#safety = safety;
    this.#artifacts = artifacts;
    this.#policy = policy ?? strictSafety;
  }

  /** What the task starts from; undefined before that is known. */
  get base(): string | undefined {
    return this.#base;
  }

  /** Sets the base. Findings in it are not held against a change. */
  startFrom(tree: string): void {
    this.#base = tree;
  }

  /** Files outside of the workspace that a person allowed, by their paths. */
  get outside(): readonly string[] {
    return [...this.#outside];
  }

  /** All that was remembered, for a warden of another process. */
  get remembered(): readonly Remembered[] {
    return this.#remembered;
  }

  /** Remembers an answer, so that this task does not ask again. */
  remember(asked: Asked, answer: ApprovalAnswer): void {
    const { subject, question, covers = [] } = asked;
    this.#remembered.push({ asked, answer });
    for (const key of covers) this.#answers.set(key, answer);
    if (asked.place !== undefined && answer.granted) this.#outside.add(asked.place);
    if (subject === "deps" && answer.granted) this.#allowed.add(`${question} (${answer.by})`);
  }

  /** By which words the packages of this task are allowed. One that is neither listed nor allowed ends the work before. */
  allowedPackages(): string {
    return this.#allowed.size === 0 ? "each new one is on the list" : [...this.#allowed].sort().join("; ");
  }

  /** Returns what the command may reach. Throws if it may not run. */
  async judgeCommand(line: string): Promise<CommandRuling> {
    const ruling = await this.#safety.judgeCommand(line);
    if (ruling.decision === "allow") return ruling;
    const why = ruling.reasons.map(({ text, message, instead }) => sentence(text, message, instead));
    if (ruling.decision === "deny") throw refusedCommand(line, ruling, why);
    this.require({
      subject: ruling.subject,
      question: `run \`${line.slice(0, LINE_CHARACTERS)}\``,
      detail: why.join("\n"),
      covers: [coverOf(`${ruling.subject} ${line}`)],
    });
    return ruling;
  }

  /** All findings of the scan on the change from the base to this tree, allowed or not. */
  findings(tree: string): Promise<Finding[]> {
    return this.#scan(tree);
  }

  /**
   * Throws if the change from the base to this tree has blocking findings. `given` files do not count: the role may not
   * change them.
   */
  async checkCode(tree: string, given: string[] = []): Promise<void> {
    const blocking = (await this.#scan(tree)).filter((finding) => finding.blocking && !given.includes(finding.path));
    const open = blocking.filter((finding) => !this.#answers.get(keyOf(finding))?.granted);
    const mayAsk = this.#policy.findings === "ask" || this.#policy.approve.includes("code");
    const isAskable = ({ kind }: Finding) => kind === "dependency" || mayAsk;
    const refused = open.filter((finding) => !isAskable(finding) || this.#answers.has(keyOf(finding)));
    if (refused.length > 0) throw refusedCode(refused);
    const packages = open.filter(({ kind }) => kind === "dependency");
    if (packages.length > 0) throw new Asking(await this.#aboutPackages(packages));
    if (open.length > 0) throw new Asking(questionAbout(open));
  }

  /** The same for packages alone, before anything of them is installed. `why` is for the person who is asked. */
  async checkPackages(tree: string, why: string): Promise<void> {
    const all = (await this.#scan(tree)).filter(({ kind, blocking }) => kind === "dependency" && blocking);
    const open = all.filter((finding) => !this.#answers.get(keyOf(finding))?.granted);
    const denied = open.filter((finding) => this.#answers.has(keyOf(finding)));
    const [first] = denied;
    const answer = first && this.#answers.get(keyOf(first));
    if (first && answer) {
      const because = answer.reason === "" ? "" : `: ${answer.reason}`;
      throw new Refused(`not allowed (${answer.by}): ${first.excerpt} in ${first.path}${because}`, {
        what: "code",
        subject: first.path.slice(0, 200),
        reasons: [{ rule: first.rule, message: answer.reason }],
      });
    }
    if (open.length > 0) throw new Asking(await this.#aboutPackages(open, why));
  }

  async #aboutPackages(findings: Finding[], why = ""): Promise<Asked> {
    const paths = [...new Set(findings.map(({ path }) => path))].join(", ");
    const named = findings.flatMap(({ package: wanted }) => (wanted ? [wanted] : []));
    const facts = await Promise.all(named.slice(0, SHOWN_PACKAGES).map((wanted) => this.#describe(wanted)));
    const names = named.map(({ name, range }) => `${name} ${range}`.trim()).join(", ");
    return {
      subject: "deps",
      question:
        named.length < findings.length
          ? `use packages with ${count(findings)}: ${paths}`
          : `add ${names.slice(0, LINE_CHARACTERS)} to ${paths}`,
      detail: [
        describeFindings(findings),
        ...facts.flat(),
        ...(why === "" ? [] : [`why, in the coder's words: ${why.replace(/\s+/g, " ").slice(0, WHY_CHARACTERS)}`]),
      ].join("\n"),
      covers: findings.map(keyOf),
    };
  }

  /** Throws unless a person or policy has allowed to read this, or a directory above it: the nearest answer counts. */
  checkOutside({ path, isDirectory }: OutsidePlace): void {
    const above = path.split("/").map((_, index, names) => names.slice(0, names.length - index).join("/"));
    const answered = above.find((directory) => this.#answers.has(coverOutside(directory))) ?? path;
    this.require({
      subject: "outside",
      question: `read ${path}, which is not part of the workspace`,
      detail: isDirectory
        ? "It allows to read all that lies below it, but for secrets; nothing is written there."
        : "Its text goes to the model, and commands of this task see it, too; nothing is written there.",
      covers: [coverOutside(answered)],
      ...(!isDirectory && { place: path }),
    });
  }

  /** Throws unless a person or policy has allowed this. A refusal stays in force. */
  require(asked: Asked): void {
    const [key = ""] = asked.covers ?? [];
    const answer = this.#answers.get(key);
    if (answer?.granted) return;
    if (!answer) throw new Asking(asked);
    throw new Refused(denial(asked, answer), {
      what: "approval",
      subject: asked.question,
      reasons: [{ rule: asked.subject, message: answer.reason }],
    });
  }

  async #scan(tree: string): Promise<Finding[]> {
    if (this.#base === undefined) throw new Error("the warden was not told what the task starts from");
    const all = this.#artifacts.changes(this.#base, tree);
    const changes = all.filter(isFile);
    const replaced = new Set(all.flatMap(({ before }) => (before?.kind === "file" ? [before.id] : [])));
    const known = new Map<string, Finding[]>();
    const unseen: Change[] = [];
    for (const change of changes) {
      const findings = this.#scanned.get(cacheKey(change));
      if (findings) known.set(cacheKey(change), findings);
      else unseen.push(change);
    }
    for (const change of unseen) known.set(cacheKey(change), await this.#scanOne(change, replaced));
    this.#scanned = known;
    return [...known.values()].flat();
  }

  async #scanOne({ path, before, after }: Change, replaced: Set<string>): Promise<Finding[]> {
    if (!after) return [];
    // A moved file is compared with itself: only its place is new.
    const from = before?.kind === "file" ? before.id : replaced.has(after.id) ? after.id : null;
    const text = (id: string) => this.#artifacts.readBlob(id).subarray(0, MOST_BYTES).toString("utf8");
    return this.#safety.scanChange([{ path, before: from && text(from), after: text(after.id) }]);
  }
}

/** The target of a link is no code. The file it points to is scanned at its own path. */
const isFile = ({ change, after }: Change): boolean => change !== "mode" && after?.kind === "file";

const cacheKey = ({ path, before, after }: Change): string => `${path}\0${before?.id ?? ""}\0${after?.id ?? ""}`;

const keyOf = ({ rule, path, excerpt }: Finding): string => coverOf(`code ${rule} ${path} ${excerpt}`);

const coverOutside = (path: string): string => coverOf(`outside ${path}`);

/** Identifies what an answer covers. It is a hash because recorded text may be redacted and must still match. */
export const coverOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

function questionAbout(findings: Finding[]): Asked {
  const paths = [...new Set(findings.map(({ path }) => path))].join(", ");
  const question = `execute code with ${count(findings)}: ${paths}`;
  return { subject: "code", question, detail: describeFindings(findings), covers: findings.map(keyOf) };
}

function refusedCommand(line: string, { reasons }: CommandRuling, why: string[]): Refused {
  return new Refused(`not run:\n${why.join("\n")}`, {
    what: "command",
    subject: line.slice(0, 200),
    reasons: reasons.map(({ rule, message }) => ({ rule, message })),
  });
}

function refusedCode(findings: Finding[]): Refused {
  const paths = [...new Set(findings.map(({ path }) => path))];
  return new Refused(
    `nothing was run: the change has ${count(findings)} that must go first\n${describeFindings(findings)}`,
    {
      what: "code",
      subject: paths.join(", ").slice(0, 200),
      reasons: findings.map(({ rule, message, path, line }) => ({ rule, message: `${path}:${line}: ${message}` })),
    },
  );
}

function describeFindings(findings: Finding[]): string {
  const lines = findings.slice(0, SHOWN_FINDINGS).map(({ rule, path, line, column, excerpt, message, instead }) => {
    return `${path}:${line}:${column} ${rule}: ${sentence(excerpt, message, instead)}`;
  });
  const more = findings.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

/** The text for the model after a denial. */
export function denial({ question }: Asked, { by, reason }: ApprovalAnswer): string {
  return `not allowed (${by}): ${question}${reason === "" ? "" : `: ${reason}`}\nGo on without it, or finish and say what is missing.`;
}

const count = (findings: unknown[]): string => (findings.length === 1 ? "1 finding" : `${findings.length} findings`);

function sentence(text: string, message: string, instead: string): string {
  const quoted = text === "" ? "" : `\`${text.slice(0, 200)}\`: `;
  return `${quoted}${message}${instead === "" ? "" : `. Instead: ${instead}`}`;
}
