export interface Line {
  name: string;
  colour: string;
  values: number[];
}

const WIDTH = 760;
const HEIGHT = 320;
const MARGIN = { left: 56, right: 190, top: 56, bottom: 44 };

/** Lines over tasks, from zero. Plain SVG, the same bytes for the same figures. */
export function chart(title: string, subtitle: string, unit: string, lines: readonly Line[]): string {
  const most = Math.max(...lines.flatMap(({ values }) => values));
  const count = Math.max(...lines.map(({ values }) => values.length));
  const step = most > 5 ? 2 : 1;
  const top = Math.ceil(most / step) * step;
  const x = (task: number) => MARGIN.left + (task / (count - 1)) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number) => HEIGHT - MARGIN.bottom - (value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const grid = Array.from({ length: top / step + 1 }, (_, at) => at * step).map(
    (value) =>
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" stroke="#ddd"/>` +
      `<text x="${MARGIN.left - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${value}</text>`,
  );
  const ticks = Array.from({ length: Math.floor(count / 50) + 1 }, (_, at) => at * 50).map(
    (task) =>
      `<text x="${x(Math.min(task, count - 1)).toFixed(1)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${task}</text>`,
  );
  const paths = lines.map(({ colour, values }) => {
    const points = values.map((value, task) => `${x(task).toFixed(1)},${y(value).toFixed(1)}`);
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.join(" ")}"/>`;
  });
  const labels = spread(lines.map(({ values }) => y(values.at(-1) ?? 0))).map(
    (at, index) =>
      `<text x="${WIDTH - MARGIN.right + 8}" y="${(at + 4).toFixed(1)}" fill="${lines[index]?.colour}">${lines[index]?.name}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${MARGIN.left}" y="22" font-size="15">${title}</text>`,
    `<text x="${MARGIN.left}" y="40" fill="#666">${subtitle}</text>`,
    ...grid,
    ...ticks,
    `<text x="${(WIDTH - MARGIN.right + MARGIN.left) / 2}" y="${HEIGHT - 8}" text-anchor="middle">tasks</text>`,
    `<text x="14" y="${HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 ${HEIGHT / 2})">${unit}</text>`,
    ...paths,
    ...labels,
    "</svg>\n",
  ].join("\n");
}

/** Labels that would lie on each other move apart. */
function spread(places: readonly number[]): number[] {
  const order = places.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at);
  let last = Number.NEGATIVE_INFINITY;
  const moved = new Array<number>(places.length);
  for (const { at, index } of order) {
    last = Math.max(at, last + 15);
    moved[index] = last;
  }
  return moved;
}
