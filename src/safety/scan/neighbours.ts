import type { Value, Values } from "./reading/value.ts";
import type { ScannedLanguage } from "./scan-rules.ts";

/** A file that was read, as others see it. */
interface Exporting {
  /** What a name of it is; nothing where it has none. */
  exported(member: string): Values;
}

const MOST_FILES = 300;
const DEEPEST = 4;

/**
 * The files of one scan, so that a name can be followed from one into another: `from .shell import run as r`. Only what
 * is scanned together is followed, and only so far; a name that leads elsewhere stays what it is called.
 */
export class Neighbours {
  readonly #files = new Map<string, Exporting>();
  /** Python modules by their last parts: `pkg/shell.py` is known as `shell` and as `pkg.shell`. */
  readonly #modules = new Map<string, string[]>();
  #depth = 0;

  static takes(files: number): boolean {
    return files > 1 && files <= MOST_FILES;
  }

  add(path: string, file: Exporting): void {
    this.#files.set(path, file);
    if (!/\.pyw?$/.test(path)) return;
    const parts = path
      .replace(/(\/__init__)?\.pyw?$/, "")
      .split("/")
      .slice(-4);
    for (let from = 0; from < parts.length; from += 1) {
      const module = parts.slice(from).join(".");
      this.#modules.set(module, [...(this.#modules.get(module) ?? []), path]);
    }
  }

  /** What `member` of `module` is, as the file at `path` names it. Functions stay unknown: they are judged where they stand. */
  find(path: string, language: ScannedLanguage, module: string, member: string): Values {
    if (this.#depth >= DEEPEST) return [];
    const found = (
      language === "python" ? this.#pythonFiles(path, module) : this.#javascriptFiles(path, module)
    ).filter((one) => one !== path);
    this.#depth += 1;
    try {
      return found.slice(0, 4).flatMap((one) => (this.#files.get(one)?.exported(member) ?? []).filter(isPortable));
    } finally {
      this.#depth -= 1;
    }
  }

  #pythonFiles(path: string, module: string): string[] {
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    if (dots === 0) return this.#modules.get(module) ?? [];
    const base = path.split("/").slice(0, -dots);
    const whole = [...base, ...module.slice(dots).split(".").filter(Boolean)].join("/");
    return [`${whole}.py`, `${whole}.pyw`, `${whole}/__init__.py`].filter((one) => this.#files.has(one));
  }

  #javascriptFiles(path: string, module: string): string[] {
    if (!module.startsWith(".")) return [];
    const parts = path.split("/").slice(0, -1);
    for (const part of module.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "." && part !== "") parts.push(part);
    }
    const whole = parts.join("/");
    const plain = whole.replace(/\.[cm]?[jt]sx?$/, "");
    return [
      whole,
      ...EXTENSIONS.flatMap((extension) => [`${plain}.${extension}`, `${whole}/index.${extension}`]),
    ].filter((one, index, all) => this.#files.has(one) && all.indexOf(one) === index);
  }
}

const EXTENSIONS = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];

/** What means the same in every file: a function has its place in one. */
const isPortable = (value: Value): boolean =>
  value.kind === "text" || value.kind === "number" || (value.kind === "name" && !value.name.startsWith("?"));
