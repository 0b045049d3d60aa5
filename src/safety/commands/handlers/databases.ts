import type { Call, Handler, Judging } from "../judging/judging.ts";
import { readArguments } from "../judging/options.ts";
import { type Field, literal, shown } from "../shell/field.ts";
import { isLocal } from "./network.ts";

/** Lines by which a client runs a program or loads one, wherever its text comes from. */
const ESCAPES: Record<string, RegExp> = {
  psql: /\\(?:!|setenv|[iog]\s*\||copy\b.*\bprogram\b)|^\s*\\.*`|\b(?:to|from)\s+program\b/im,
  mysql: /(?:^|;)\s*(?:system|pager)\b|\\!/im,
  sqlite3:
    /^\s*\.(?:sh|she|shel|shell|sys\w*|once\s+-?[|]|output\s+[|]|load|log|excel|edit|import\s+["']?[|])|\bload_extension\s*\(|\bedit\s*\(|\bwritefile\s*\(/im,
  mongosh: /\b(?:child_process|require|run|runProgram|shellHelper)\b/,
};

export const databaseHandlers: Record<string, Handler> = {
  psql: connects,
  mysql: connects,
  mariadb: connects,
  "redis-cli": connects,
  mongosh: connects,
  pg_dump: connects,
  sqlite3: connects,
};

/** Clients of databases: the socket or this machine by default; what they are told may start programs. */
function connects(call: Call, judging: Judging): void {
  const { base, input } = call;
  if (base === "sqlite3") {
    for (const field of call.words) judgeText(field, base, judging);
  } else judgeWords(call, judging);
  if (input.kind === "text") judgeText(input.field, base, judging);
}

function judgeWords(call: Call, judging: Judging): void {
  const { options, operands } = readArguments(call.words, {
    short: call.base === "psql" ? "hpUdcfovLFRTP" : "hPuDeSo",
    long: ["host", "port", "username", "user", "dbname", "command", "execute", "eval", "pager", "file"],
  });
  for (const { name, value, field } of options) {
    const text = literal(value) ?? "?";
    if ((name === "-h" || name === "--host") && value && !isLocal(text) && !text.startsWith("/"))
      judging.refuse("network.request", value);
    if (/^(-c|-e|--command|--execute|--eval)$/.test(name) && value) judgeText(value, call.base, judging);
    if (name === "--pager" && !judging.rules.harmlessPrograms.includes(text)) judging.refuse("run.program", field);
  }
  for (const field of operands) {
    const text = literal(field) ?? "";
    if (text.includes("://") && !isLocal(text.replace(/^\w+:\/\/([^@/]*@)?/, "http://")))
      judging.refuse("network.request", field);
  }
}

function judgeText(field: Field, base: string, judging: Judging): void {
  if (ESCAPES[base === "mariadb" ? "mysql" : base]?.test(shown(field))) judging.refuse("run.program", field);
}
