import type { Call, Handler, Judging } from "../judging/judging.ts";
import { hasOption, type OptionShape, readArguments } from "../judging/options.ts";
import { judgeWrite, noteWritten } from "../judging/writes.ts";
import { type Field, literal, shown } from "../shell/field.ts";

const CURL: OptionShape = {
  short: "AbcCdDeEFhHKmoPQrtTuUwxXyYz",
  long: "data data-raw data-binary data-urlencode data-ascii json header request user user-agent referer output cookie cookie-jar form form-string max-time connect-timeout retry retry-delay retry-max-time write-out url proxy resolve connect-to unix-socket abstract-unix-socket cacert cert key range upload-file config dump-header interface dns-servers doh-url socks5 socks5-hostname socks4 preproxy output-dir trace trace-ascii stderr netrc-file".split(
    " ",
  ),
};
const WGET: OptionShape = {
  short: "OPoaiTtUwQelADIXRB",
  long: "output-document directory-prefix output-file append-output input-file timeout tries user-agent header post-data post-file body-data method execute".split(
    " ",
  ),
};

const NETCATS = ["nc", "ncat", "netcat", "nc.openbsd", "nc.traditional"];

export const networkHandlers: Record<string, Handler> = {
  curl: (call, judging) =>
    fetches(call, judging, CURL, [
      "-o",
      "--output",
      "-D",
      "--dump-header",
      "--trace",
      "--trace-ascii",
      "--stderr",
      "-c",
      "--cookie-jar",
      "--output-dir",
    ]),
  wget: (call, judging) =>
    fetches(call, judging, WGET, ["-O", "--output-document", "-P", "--directory-prefix", "-o", "--output-file", "-a"]),
  ...Object.fromEntries(NETCATS.map((name): [string, Handler] => [name, connects])),
};

const REROUTES = new Set(
  "-x --proxy --preproxy --resolve --connect-to --unix-socket --abstract-unix-socket --interface --doh-url --dns-servers --socks5 --socks5-hostname --socks4 -e --execute -i --input-file".split(
    " ",
  ),
);

function fetches(call: Call, judging: Judging, shape: OptionShape, files: string[]): void {
  const { options, operands } = readArguments(call.words, shape);
  for (const { name, value, field } of options) {
    if (value && files.includes(name) && literal(value) !== "-") {
      judgeWrite(value, call, judging);
      noteWritten(value, call, judging, undefined);
    }
    if (REROUTES.has(name) && !(call.base === "curl" && (name === "-e" || name === "-i")))
      judging.refuse("network.request", field);
    if (name === "--url" && value) judgeAddress(value, judging);
  }
  for (const field of operands) judgeAddress(field, judging);
}

function judgeAddress(field: Field, judging: Judging): void {
  // `localhost:8080/item/$i`: the host is known, and nothing behind it can change it.
  const text = literal(field) ?? /^[^$]*?:\/\/[^/]*\/|^[\w.:[\]]+\//.exec(shown(field))?.[0];
  if (text === undefined || !isLocal(text)) judging.refuse("network.request", field);
}

/** This machine, by one of its plain names. */
export function isLocal(address: string): boolean {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(text)) return false;
  const { hostname, protocol, username } = new URL(text);
  if (!/^(https?|wss?):$/.test(protocol) || username !== "") return false;
  return (
    hostname === "localhost" || hostname === "[::1]" || hostname === "0.0.0.0" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/** Asking whether a local port is open is the one thing that ordinary work does with it. */
function connects(call: Call, judging: Judging): void {
  const args = readArguments(call.words, { short: "wqipsXxTIOPe", long: ["wait", "exec", "sh-exec", "lua-exec"] });
  const [host] = args.operands;
  const onlyAsks = args.options.every(({ name }) => /^-[zvwnt46]$/.test(name)) && hasOption(args, "-z");
  if (!onlyAsks || !isLocal(literal(host) ?? "?")) judging.refuse("network.remote", host ?? call.name);
}
