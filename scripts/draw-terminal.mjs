// A picture of a terminal's lines, in the colours that were printed, and its words read back from it.

const LINE = 17;
const CHARACTER = 7.8;
const PLAIN = "#e6edf3";
const COLOURS = {
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  90: "#8b949e",
};

export function draw(lines, columns) {
  const width = Math.ceil(columns * CHARACTER) + 32;
  const height = lines.length * LINE + 32;
  const rows = lines.map((line, index) => {
    const pieces = line.map(({ text, style }) => `<tspan${attributes(style)}>${escaped(text)}</tspan>`);
    return `<text x="16" y="${index * LINE + 28}" xml:space="preserve">${pieces.join("")}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="${PLAIN}">
${rows.join("\n")}
</g>
</svg>
`;
}

/** The lines of a picture that `draw` made. */
export function textOf(svg) {
  return [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, line]) =>
    line
      .replace(/<[^>]*>/g, "")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&amp;/g, "&"),
  );
}

function attributes(style) {
  const numbers = style.split(";").map(Number);
  const colour = numbers.map((number) => COLOURS[number]).find((found) => found !== undefined);
  const bold = numbers.includes(1) ? ' font-weight="bold"' : "";
  const dim = numbers.includes(2) ? ' fill-opacity="0.65"' : "";
  return `${colour === undefined ? "" : ` fill="${colour}"`}${bold}${dim}`;
}

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
