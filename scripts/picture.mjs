// Turns the text of a run (standard input) into docs/demo.svg: what a terminal showed, for the README.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const COLUMNS = 118;
const LINE = 17;
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const colour = (line) =>
  /^(proven|\s*✓)|^verifier: \d+ passed, 0 red/.test(line)
    ? "#7ee787"
    : /^iteration \d+ red|^verifier: .* [1-9]\d* red/.test(line)
      ? "#ff7b72"
      : /asked|^\s{4}|^goal|^the model's/.test(line)
        ? "#8b949e"
        : "#e6edf3";

const lines = readFileSync(0, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => (line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line));
const height = lines.length * LINE + 32;
const rows = lines.map(
  (line, index) =>
    `<text x="16" y="${index * LINE + 28}" fill="${colour(line)}" xml:space="preserve">${escaped(line)}</text>`,
);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="${height}" viewBox="0 0 960 ${height}">
<rect width="960" height="${height}" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">
${rows.join("\n")}
</g>
</svg>
`;
writeFileSync(fileURLToPath(new URL("../docs/demo.svg", import.meta.url)), svg);
