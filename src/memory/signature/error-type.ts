import type { ErrorLanguage } from "./pick-lines.ts";

/** The class or code of the last error in a chain: `KeyError`, `TS2345`, `ERR_MODULE_NOT_FOUND`, `go: undefined`. */
export function errorTypeOf(text: string, language: ErrorLanguage | ""): string {
  const code =
    /\bTS\d{4,5}\b/.exec(text) ??
    /\b(?:[A-Z]{2,12}_)?ERR_[A-Z_]{3,60}\b/.exec(text) ??
    /\bE(?:ADDRINUSE|CONNREFUSED|CONNRESET|NOENT|ACCES|PERM|MFILE|RESOLVE|TIMEDOUT|PIPE|ISDIR|EXIST|NOTFOUND)\b/.exec(
      text,
    );
  if (code) return code[0];
  const classes = text.match(
    /\b[A-Z][A-Za-z0-9]{0,60}(?:Error|Exception|Warning|Interrupt|Timeout|Exit|NotFound|DoesNotExist|Expired|Violation|Failed|Denied|Refused)\b/g,
  );
  if (classes) return (language === "python" ? classes.at(-1) : classes[0]) ?? "";
  const go = /\b(?:panic: (?:runtime error: )?|fatal error: |runtime error: )([a-z ]{3,60})/.exec(text);
  if (go) return `go: ${(go[1] ?? "").trim().split(" ").slice(0, 4).join(" ")}`;
  const compile =
    /\b(undefined|declared and not used|imported and not used|cannot use|missing return|import cycle|DATA RACE|deadlock|too many arguments|not enough arguments|does not implement|mismatched types|no required module|missing go\.sum entry|cannot unmarshal|context deadline exceeded)\b/.exec(
      text,
    );
  if (compile) return `${language === "" ? "go" : language}: ${compile[1] ?? ""}`;
  return /\bAssert(?:ion)?\b/i.test(text) ? "assertion" : "unknown";
}

/** Guessed from the form of the text; empty if there is no sign. */
export function languageOf(text: string): ErrorLanguage | "" {
  if (/Traceback \(most recent|File "[^"\n]{1,200}", line \d|\b\w+\.py:\d+|^E\s{3}/m.test(text)) return "python";
  if (/\bTS\d{4,5}\b|\.tsx?[:(]\d/.test(text)) return "typescript";
  if (/\.go:\d+|^panic: |^goroutine \d|^fatal error: |\bgo: |\bgo\.mod\b/m.test(text)) return "go";
  if (/\bnode:|^\s+at |\.[cm]?jsx?:\d|node_modules|\bnpm /m.test(text)) return "javascript";
  return /^\w*(?:Error|Exception): /m.test(text) ? "python" : "";
}
