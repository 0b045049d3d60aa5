import type { Judging, Setting } from "../judging/judging.ts";
import { isSecret } from "../judging/place.ts";
import { type Field, textField } from "../shell/field.ts";

/** Ends right before the first argument of a call that opens a file, or lists files. */
const OPENS =
  /\b(?:open|glob|iglob|read_text|readFile|readFileSync|createReadStream|Path|copy|copyfile|copyFileSync)\s*\(\s*[rbuf]{0,2}(["'`])((?:(?!\1)[^\\\n]){1,400})\1(?<rest>[^\n]{0,80})/g;

/** The same, of a call that changes what is there. */
const CHANGES =
  /\b(?:chmod|chown|rename|replace|symlink|link|mkdir|makedirs|truncate|move|chmodSync|chownSync|renameSync|symlinkSync|linkSync|mkdirSync|truncateSync|writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream)\s*\(\s*[rbuf]{0,2}(["'`])((?:(?!\1)[^\\\n]){1,400})\1/g;

/** Paths that are written out in inline code are judged as those of a command: secrets, and changes outside the workspace. */
export function judgePaths(source: string, code: Field, setting: Setting, judging: Judging): void {
  const field = (text: string): Field => textField(text, code.from, code.to);
  for (const match of source.matchAll(OPENS)) {
    judging.step();
    const path = field(match[2] ?? "");
    if (isSecret(path, setting.around.directories, judging.rules)) judging.refuse("secret.read", path);
    const rest = match.groups?.rest ?? "";
    if (/^\s*,\s*(?:mode\s*=\s*)?["'`][rbt]*[wax+]|^\s*\)\s*\.\s*(?:write_|touch|unlink|mkdir|rename)/.test(rest))
      judgeChange(match[2] ?? "");
  }
  for (const match of source.matchAll(CHANGES)) {
    judging.step();
    judgeChange(match[2] ?? "");
  }

  function judgeChange(path: string): void {
    judging.run([field("touch"), field(path)], setting);
  }
}
