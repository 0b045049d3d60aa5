import { type Field, literal, textField } from "../shell/field.ts";

interface FindArguments {
  roots: Field[];
  /** A test on the name chooses what is found, and not everything passes it. */
  isNarrowed: boolean;
  deletes: Field | undefined;
  /** Commands of -exec and the like, with `{}` in them. */
  commands: Field[][];
  /** Files that -fprint and the like write. */
  files: Field[];
}

const NAME_TESTS = new Set(["-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"]);
const EXECUTE = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const PRINT_TO = new Set(["-fprint", "-fprint0", "-fprintf", "-fls"]);

export function readFind(words: Field[]): FindArguments {
  const result: FindArguments = { roots: [], isNarrowed: false, deletes: undefined, commands: [], files: [] };
  let isExpression = false;
  let isNegated = false;
  // One for each alternative; a single one that everything meets is enough to find everything.
  const branches = [false];
  for (let index = 0; index < words.length; index += 1) {
    const field = words[index];
    if (field === undefined) break;
    const text = literal(field) ?? "";
    if (!isExpression && /^-(H|L|P|O\d|D)$/.test(text)) continue;
    if (!isExpression && !/^[-(!,]/.test(text)) {
      result.roots.push(field);
      continue;
    }
    isExpression = true;
    if (EXECUTE.has(text)) {
      const end = words.findIndex(
        (word, at) =>
          at > index && (literal(word) === ";" || (literal(word) === "+" && literal(words[at - 1]) === "{}")),
      );
      result.commands.push(words.slice(index + 1, end === -1 ? undefined : end));
      if (end !== -1) index = end;
      else break;
    } else if (PRINT_TO.has(text)) {
      const file = words[index + 1];
      if (file) result.files.push(file);
      index += 1;
    } else if (text === "-delete") result.deletes = field;
    else if (text === "!" || text === "-not") isNegated = true;
    else if (text === "-o" || text === "-or" || text === ",") branches.push(false);
    // What is empty holds nothing that could be lost.
    else if (text === "-empty" && !isNegated) branches[branches.length - 1] = true;
    else if (NAME_TESTS.has(text)) {
      const pattern = literal(words[index + 1]) ?? "*";
      // A pattern without a letter or digit (`*`, `.*`, `?*`) is met by nearly everything.
      if (!isNegated && /[\p{L}\p{N}]/u.test(pattern.replace(/\[[^\]]*\]/g, ""))) branches[branches.length - 1] = true;
      index += 1;
      isNegated = false;
    }
  }
  if (result.roots.length === 0) result.roots.push(textField(".", words[0]?.from ?? 0, words[0]?.to ?? 0));
  result.isNarrowed = branches.every(Boolean);
  return result;
}
