/** Foreign text in Markdown: it must not become a heading, a link or markup, nor move the cursor of a terminal. */

/**
 * A text in one line. What stands between backticks in it is code already, in which a backslash would be shown: only the
 * rest is escaped.
 */
export const text = (value: string): string =>
  plain(value)
    .replace(/\s+/g, " ")
    .split(/(`+[^`]+`+)/)
    .map((part, index) => (index % 2 === 1 && isSpan(part) ? part : escaped(part)))
    .join("");

const isSpan = (part: string): boolean => /^(`+)[^`]+\1$/.test(part);
const escaped = (part: string): string => part.replace(/([\\`*<>[\]])/g, "\\$1");

/** A span of code. Backticks in it are kept, inside of a longer fence. */
export function code(value: string): string {
  const content = plain(value).replace(/\s+/g, " ");
  const longest = Math.max(0, ...(content.match(/`+/g) ?? []).map((run) => run.length));
  if (longest === 0) return `\`${content}\``;
  const fence = "`".repeat(longest + 1);
  return `${fence} ${content} ${fence}`;
}

/** Lines as a block of code below an item of a list. */
export const indent = (value: string): string =>
  value
    .split(/\r?\n/)
    .map((line) => `      ${plain(line)}`)
    .join("\n");

const plain = (value: string): string =>
  value
    .replaceAll("\t", "  ")
    .replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, (character) =>
      character === "\n" || character === "\r" ? " " : "",
    );
