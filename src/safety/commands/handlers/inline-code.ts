import { type Field, holds, literal, textField } from "../field.ts";
import type { Judging, Setting } from "../judging.ts";
import { isLocal } from "./network.ts";
import { readStrings } from "./string-literals.ts";

interface Language {
  /** Ends right before the arguments of a call that starts a program. */
  spawns: RegExp;
  /** A word without which nothing is started; where it stands without such a call, the call is hidden. */
  mentions: RegExp;
  deletes: RegExp;
  /** Code out of text, and names out of text: what it does cannot be read. */
  makesCode: RegExp;
  network: RegExp;
}

const LANGUAGES: Record<string, Language> = {
  python: {
    spawns:
      /\.\s*(?:system|popen|run|call|check_call|check_output|Popen|getoutput|getstatusoutput|spawn\w*|exec[lv]\w*|posix_spawn\w*|create_subprocess_\w+)\s*(?=\()/g,
    mentions:
      /\b(?:subprocess|os\s*\.\s*(?:system|popen|exec[lv]\w*|spawn\w*|posix_spawn\w*)|pty|posix|commands|from\s+os\s+import)\b/,
    deletes: /\b(?:rmtree|os\s*\.\s*(?:remove|unlink|rmdir|removedirs))\s*(?=\()/g,
    makesCode:
      /(?<![\w.])(?:exec|eval|compile|__import__)\s*\(|\b(?:__builtins__|builtins|import_module|importlib\s*\.\s*(?:util|machinery|reload|abc)|b64decode|unhexlify|fromhex|marshal|ctypes|pickle|__subclasses__|runpy|codecs|code\s*\.\s*(?:interact|Interactive\w+))\b|\bglobals\s*\(\s*\)\s*\[|\bgetattr\s*\(\s*(?:os|sys|shutil|builtins)\b/,
    network: /\b(?:socket|urllib|requests|httpx|aiohttp|ftplib|smtplib|telnetlib|paramiko|http\.client)\b/,
  },
  node: {
    spawns: /\b(?:exec|execSync|execFile|execFileSync|spawn|spawnSync|fork)\s*(?=\()/g,
    mentions: /child_process|process\s*\.\s*mainModule/,
    deletes: /\b(?:rmSync|rmdirSync|unlinkSync|(?:fs|promises|fsp)\s*\.\s*(?:rm|rmdir|unlink))\s*(?=\()/g,
    makesCode:
      /(?<![\w.])(?:eval|Function)\s*\(|\batob\s*\(|\bvm\s*\.|process\s*\.\s*(?:binding|dlopen)|(?:require|import)\s*\(\s*[^'"`\s)]|\bconstructor\s*[.[]|createRequire|globalThis\s*\[|base64/,
    network: /\b(?:fetch|WebSocket|XMLHttpRequest)\s*\(|['"](?:node:)?(?:http|https|net|dgram|tls|http2)['"]/,
  },
  perl: {
    spawns: /(?<![\w$@%>-])(?:system|exec|qx)\b\s*/g,
    mentions: /\b(?:popen|open3?|IPC::)\b/,
    deletes: /(?<![\w$@%>-])(?:unlink|rmtree|remove_tree|rmdir)\b\s*/g,
    makesCode: /(?<![\w$@%>-])eval\b|\bpack\s*\(|decode_base64|MIME::Base64/,
    network: /\b(?:Socket|LWP|HTTP::|Net::)\b/,
  },
  ruby: {
    spawns: /(?<![\w$@])(?:system|exec|spawn|popen\w*|capture\w*|%x)\b\s*/g,
    mentions: /\b(?:Open3|PTY|IO\.popen)\b/,
    deletes: /\b(?:rm_rf|rm_r|rm_f|rm|rmtree|remove_dir|remove_entry\w*|unlink|delete)\b\s*(?=[("'\s])/g,
    makesCode: /\b(?:eval|instance_eval|class_eval|Base64|__send__|public_send)\b|\bsend\s*\(/,
    network: /\b(?:Net::|TCPSocket|open-uri|URI\.open|Socket)\b/,
  },
  php: {
    spawns: /\b(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec)\s*(?=\()/g,
    mentions: /\b(?:pcntl_fork)\b/,
    deletes: /\b(?:unlink|rmdir)\s*(?=\()/g,
    makesCode: /\b(?:eval|assert|create_function|base64_decode|call_user_func)\s*\(|\$\w+\s*\(/,
    network: /\b(?:fsockopen|curl_init|stream_socket_client)\b|https?:/,
  },
  lua: {
    spawns: /\b(?:os\s*\.\s*execute|io\s*\.\s*popen)\s*/g,
    mentions: /\bdebug\s*\./,
    deletes: /\bos\s*\.\s*remove\s*/g,
    makesCode: /\b(?:load|loadstring|dofile|loadfile)\s*[("']/,
    network: /\bsocket\b/,
  },
  r: {
    spawns: /\b(?:system2?|shell|run)\s*(?=\()/g,
    mentions: /(?!)/,
    deletes: /\b(?:unlink|file\.remove|rm)\s*(?=\()/g,
    makesCode: /\b(?:eval|parse)\s*\(/,
    network: /\b(?:download|url|socketConnection)\s*\(|https?:/,
  },
};

/**
 * A first look at `python -c`, `node -e` and their like: the obvious ways to start programs, to delete, and to hide
 * both. The whole truth of a program is the code scan's and the sandbox's business.
 */
export function judgeCode(language: string, code: Field, setting: Setting, judging: Judging): void {
  const rules = LANGUAGES[language];
  if (rules === undefined) return;
  if (holds(code, "computed", "pipe", "found")) {
    judging.refuse("run.code", code);
    return;
  }
  const source =
    literal({
      ...code,
      pieces: code.pieces.map((piece) => ({ kind: "text", text: piece.kind === "text" ? piece.text : "0" })),
    }) ?? "";
  judging.nested(source.length);
  const hidden = rules.makesCode.exec(source);
  if (hidden) judging.refuse("run.code", code, hidden[0]);
  let spawned = 0;
  for (const { strings, exact } of callsOf(source, rules.spawns)) {
    spawned += 1;
    const fields = strings.map((text) => textField(text, code.from, code.to));
    if (!exact || fields.length === 0) judging.refuse("run.code", code);
    else if (fields.length === 1 && fields[0]) judging.script(fields[0], setting);
    else judging.run(fields, setting);
  }
  if (spawned === 0 && rules.mentions.test(source)) judging.refuse("run.code", code, rules.mentions.exec(source)?.[0]);
  if (language === "perl" || language === "ruby" || language === "php")
    for (const text of backticks(source)) judging.script(textField(text, code.from, code.to), setting);
  for (const { strings, exact } of callsOf(source, rules.deletes)) {
    if (!exact || strings.length === 0) judging.refuse("run.code", code);
    else
      judging.run(
        ["rm", "-rf", ...strings].map((text) => textField(text, code.from, code.to)),
        setting,
      );
  }
  if (rules.network.test(source) && !onlyLocal(source))
    judging.refuse("network.request", code, rules.network.exec(source)?.[0]);
}

function* callsOf(source: string, pattern: RegExp): Generator<{ strings: string[]; exact: boolean }> {
  for (const match of source.matchAll(pattern)) yield readStrings(source, match.index + match[0].length);
}

const backticks = (source: string): string[] => [...source.matchAll(/`([^`]*)`/g)].map(([, text = ""]) => text);

const onlyLocal = (source: string): boolean => {
  const addresses = source.match(/\bhttps?:\/\/[^\s'"`)]+/g) ?? [];
  return addresses.length > 0 ? addresses.every(isLocal) : /\b(?:localhost|127\.0\.0\.1)\b/.test(source);
};
