import { dirname, join } from "node:path/posix";
import type { AccountLine } from "../../domain/evidence/account.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { importedAs, importedFiles } from "../change/imported-files.ts";
import { asksFor, type PlacedText, textsBefore } from "./asked-paths.ts";
import type { ProjectSpeech } from "./is-missed.ts";
import { saysWord } from "./says-word.ts";

interface Move {
  from: string;
  to: string;
}

/** What reads the same in another place may do something else there: a line for each file of which that is in doubt. */
export function accountOfMoved(units: readonly UnitChange[], given: ProjectSpeech): AccountLine[] {
  const kept = units.filter(({ relation, after }) => after !== null && (relation === "same" || relation === "inert"));
  const moved = kept.flatMap(({ path, oldPath }) =>
    oldPath === null || oldPath === path ? [] : [[path, oldPath] as const],
  );
  const moves = [...new Map(moved)].map(([to, from]): Move => ({ from, to }));
  return moves.flatMap((move): AccountLine[] => {
    const why = doubtOf(move, moves, given);
    return why === null
      ? []
      : [{ path: move.to, standing: "not-judged", why: `it was moved from ${move.from}: ${why}` }];
  });
}

/** Code that asks where it stands. */
const ASKS_PLACE =
  /\b__(?:file|path|package|dirname|filename)__\b|\b__(?:dirname|filename)\b|\bimport\.meta\b|\/\/go:embed/;
/** Folders whose files are often known by their paths. */
const ADDRESSES =
  /^(?:pages|routes|app|api|public|functions|migrations|versions|commands|plugins|templatetags|middleware)$/;
const LISTS =
  /\b(?:r?glob|listdir|iterdir|scandir|walk|iter_modules|walk_packages|readdir(?:Sync)?|require\.context)\b/;
/** The end of such a name decides where Go builds the file. */
const BUILT_FOR =
  /_(?:test|linux|windows|darwin|freebsd|netbsd|openbsd|android|ios|js|wasip1|amd64|arm64|arm|386|wasm)\b/g;

function doubtOf(move: Move, moves: readonly Move[], given: ProjectSpeech): string | null {
  const { from, to } = move;
  const texts = given.texts();
  const own = texts.find(({ path }) => path === to)?.text ?? "";
  if (ASKS_PLACE.test(own)) return "it asks where it stands";
  if (String(from.match(BUILT_FOR)) !== String(to.match(BUILT_FOR))) return "its name decides where it is built";
  const other = otherImport(move, moves, given);
  if (other !== null) return `what it imports is another file: ${other}`;
  const others = texts.filter(({ path, role }) => path !== to && role !== "document");
  const isThere = given.paths().some((path) => importedAs(path).some((stem) => importedAs(from).includes(stem)));
  const left = others.find(
    (one) => (!isThere && asksFor(one, from)) || (one.role === "other" && saysPlace(one.text, from)),
  );
  if (left) return `${left.path} still asks for its old place`;
  const isGo = to.endsWith(".go");
  if (isGo && dirname(from) === dirname(to)) return null;
  const folders = [from, to].flatMap((path) => dirname(path).split("/")).filter((one) => !/^(?:\.|src|lib)$/.test(one));
  const lister = others.find(
    ({ role, text }) => role === "code" && LISTS.test(text) && folders.some((one) => saysWord(text, one)),
  );
  if (lister) return `${lister.path} may load its folder as a whole`;
  const place = isGo ? `${dirname(to)}.go` : to;
  const asking = others.filter((one) => asksFor(one, place) || (one.role === "other" && saysPlace(one.text, to)));
  if (asking.some(({ role }) => role !== "test")) return null;
  const isAddress = folders.some((one) => ADDRESSES.test(one));
  return asking.length > 0 && !isAddress
    ? null
    : "its place may be what it is known by, as no code asks for it by its name";
}

/** `shop/cart.py`, or `shop.cart:total`. */
function saysPlace(text: string, path: string): boolean {
  const dotted = (importedAs(path).at(-1) ?? path).replaceAll("/", ".");
  return saysWord(text, path) || (dotted.includes(".") && path.endsWith(".py") && saysWord(text, dotted));
}

/** A file that it found before and does not find now, or the other way round, and that was not moved with it. */
function otherImport({ from, to }: Move, moves: readonly Move[], given: ProjectSpeech): string | null {
  const was = textsBefore(given).find(({ path }) => path === from);
  const is = given.texts().find(({ path }) => path === to);
  const old = found(from, was?.text ?? "", textsBefore(given));
  const now = found(to, is?.text ?? "", given.texts());
  const went = new Map(moves.map((one) => [one.from, one.to]));
  const came = new Map(moves.map((one) => [one.to, one.from]));
  const lost = [...old].find((path) => !now.has(path) && !now.has(went.get(path) ?? path));
  const got = [...now].find((path) => !old.has(path) && !old.has(came.get(path) ?? path));
  return got ?? lost ?? null;
}

/** The files with something in them that a text imports. */
function found(path: string, text: string, texts: readonly PlacedText[]): Set<string> {
  const stems = importedFiles(path, text);
  if (path.endsWith(".py")) for (const stem of [...stems]) stems.add(join(dirname(path), stem));
  const others = texts.filter((one) => one.path !== path && one.text.trim() !== "");
  return new Set(others.flatMap((one) => (importedAs(one.path).some((stem) => stems.has(stem)) ? one.path : [])));
}
