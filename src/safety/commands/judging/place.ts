import { posix } from "node:path";
import { type Field, literal, type Piece } from "../shell/field.ts";
import type { CommandRules } from "./command-rules.ts";

/** Where a path leads. `root`: a whole writable tree; `unknown`: cannot be told. */
type Place = "inside" | "device" | "root" | "guarded" | "outside" | "unknown";

interface Target {
  place: Place;
  /** A hole behind a known directory: what it may hold. */
  open: "outer" | "computed" | undefined;
}

/** A directory that nobody knows, as after `cd "$x"`. */
export const NOWHERE = "";

const GRAVITY: Place[] = ["inside", "device", "root", "guarded", "unknown", "outside"];

/** The gravest of all places that the field may mean, in any of the directories it may be resolved from. */
export function placeOf(field: Field, directories: string[], rules: CommandRules): Target {
  const { text, open, found } = flatten(field.pieces);
  // No system has longer paths.
  if (text.length > 4096) return { place: "unknown", open };
  if (found !== undefined) return { place: found ? "inside" : "unknown", open: undefined };
  if (text === "" && (open !== undefined || field.pieces.length > 0)) return { place: "unknown", open };
  // Only a directory that is written out bounds what a hole can mean.
  const known = open === undefined ? text : text.slice(0, text.lastIndexOf("/") + 1);
  if (open !== undefined && known === "") return { place: "unknown", open };
  const places = directories.map((directory) => placeFrom(known, directory, rules, open !== undefined));
  const place = places.reduce(
    (worst, next) => (GRAVITY.indexOf(next) > GRAVITY.indexOf(worst) ? next : worst),
    "inside",
  );
  return { place, open };
}

/** Holes that are harmless become text; the first that is not ends what is known. */
function flatten(pieces: Piece[]): { text: string; open: Target["open"]; found: boolean | undefined } {
  let text = "";
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === "text" || piece.kind === "glob") text += piece.text;
    else if (piece.kind === "tame") text += "0";
    else if (piece.kind === "found") {
      const isBelow = pieces.slice(index + 1).every((next) => next.kind === "text" && !next.text.includes(".."));
      return { text, open: undefined, found: piece.narrowed && isBelow && (text === "" || text === "./") };
    } else return { text, open: piece.kind === "outer" ? "outer" : "computed", found: undefined };
  }
  return { text, open: undefined, found: undefined };
}

function placeFrom(text: string, directory: string, rules: CommandRules, isDirectoryOfHole: boolean): Place {
  if (text.startsWith("~")) return "outside";
  if (!text.startsWith("/") && directory === NOWHERE) return "unknown";
  const whole = posix.resolve(directory === NOWHERE ? "/" : directory, text);
  if (rules.devices.some((device) => whole === device || whole.startsWith(`${device}/`))) return "device";
  const { path, isAll } = beforeGlob(whole);
  const roots = [rules.workspace, ...rules.writable];
  const root = roots.find((candidate) => path === candidate || path.startsWith(`${candidate}/`));
  if (root === undefined) return "outside";
  if (isGuarded(whole.slice(root.length), rules)) return "guarded";
  // `build/$x` names something below, the directory itself only when $x is empty.
  if (path === root && !isDirectoryOfHole && (isAll || whole === path)) return "root";
  return "inside";
}

/** The directory before the first pattern; `isAll` when the pattern is one that nearly everything matches. */
function beforeGlob(path: string): { path: string; isAll: boolean } {
  const segments = path.split("/");
  const index = segments.findIndex((segment) => /[*?[]|[@!+]\(/.test(segment));
  if (index === -1) return { path, isAll: false };
  return {
    path: segments.slice(0, index).join("/") || "/",
    isAll: segments.slice(index).every(matchesAll),
  };
}

const matchesAll = (segment: string): boolean => /^[*?.]+$/.test(segment.replace(/\[[^\]]*\]/g, "?"));

function isGuarded(relative: string, { guarded }: CommandRules): boolean {
  const segments = relative.split("/").filter((segment) => segment !== "");
  if (segments.at(-1)?.endsWith(".lock")) return false;
  return segments.some((segment) => guarded.includes(segment));
}

/** Whether a field names a place where secrets are kept; `*` in the list stands for one segment. */
export function isSecret(field: Field, directories: string[], { secrets, workspace }: CommandRules): boolean {
  const text = literal(field);
  if (text === undefined || text === "" || text.length > 4096) return false;
  const isPlain = !text.includes("/") && !text.includes("~");
  if (isPlain && directories.every((directory) => directory.startsWith(workspace))) return false;
  const home = text.replace(/^.*?@?(?=~\/)/, "");
  const candidates = home.startsWith("~")
    ? [posix.normalize(home)]
    : directories.map((directory) => (directory === NOWHERE ? text : posix.resolve(directory, text)));
  return candidates.some((path) => secrets.some((secret) => isBelow(path.split("/"), secret.split("/"))));
}

const isBelow = (path: string[], secret: string[]): boolean =>
  secret.length <= path.length && secret.every((segment, index) => segment === "*" || segment === path[index]);
