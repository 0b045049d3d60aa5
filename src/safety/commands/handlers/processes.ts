import type { Handler } from "../judging/judging.ts";
import { literal } from "../shell/field.ts";

export const processHandlers: Record<string, Handler> = {
  kill({ words }, judging) {
    const texts = words.map(literal);
    // The first word with a dash is the signal; `-1` behind it, or behind `--`, is every process there is.
    const isSignal = /^-(?!-$)/.test(texts[0] ?? "");
    const takesValue = texts[0] === "-s" || texts[0] === "-n" || texts[0] === "--signal";
    const targets = words.slice(takesValue ? 2 : isSignal ? 1 : 0).filter((field) => literal(field) !== "--");
    for (const field of targets) if (/^(-?1|0)$/.test(literal(field) ?? "")) judging.refuse("process.kill-all", field);
  },
  pkill: byPattern,
  killall: byPattern,
};

function byPattern(...[{ words }, judging]: Parameters<Handler>): void {
  for (const field of words) {
    const text = literal(field);
    if (text === undefined || text.startsWith("-")) continue;
    if (!/[A-Za-z0-9]{2}/.test(text) || /^(init|systemd|bash|sh)$/.test(text))
      judging.refuse("process.kill-all", field);
  }
}
