import { plotShape } from "./plot-shape.ts";

export interface PlotPoint {
  /** What is written under it: a day. */
  key: string;
  /** Null: nothing was counted, which is no zero. */
  value: number | null;
}

interface PlotProps {
  title: string;
  points: readonly PlotPoint[];
  kind: "bars" | "line";
  format(value: number): string;
  /** Where the scale ends, at the least. */
  top?: number;
}

const WIDE = 600;
const HIGH = 120;

/** A figure over time. The same figures stand in a table under it, for who does not look at pictures. */
export function Plot({ title, points, kind, format, top }: PlotProps) {
  const counted = points.filter((point): point is { key: string; value: number } => point.value !== null);
  if (counted.length === 0) return null;
  const { most, bars, line, dots } = plotShape(points, { wide: WIDE, high: HIGH, top: top ?? 0 });
  const last = counted.at(-1);
  return (
    <figure class="plot">
      <figcaption>
        {title} {last && <strong>{format(last.value)}</strong>}
      </figcaption>
      <div class="picture">
        <span class="scale">{format(most)}</span>
        <svg
          viewBox={`0 0 ${WIDE} ${HIGH}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}, from ${points[0]?.key} to ${points.at(-1)?.key}; the last is ${last ? format(last.value) : ""}`}
        >
          <path class="grid" d={`M0 ${HIGH / 2}H${WIDE}M0 ${HIGH - 0.5}H${WIDE}M0 .5H${WIDE}`} />
          {kind === "bars" &&
            bars.map(({ key, x, y, width, height, value }) => (
              <rect key={key} x={x} y={y} width={width} height={height}>
                <title>{`${key}: ${format(value)}`}</title>
              </rect>
            ))}
          {kind === "line" && <path class="line" d={line} />}
          {kind === "line" &&
            dots.map(({ key, x, y, value }) => (
              <path key={key} class="dot" d={`M${x} ${y}h0`}>
                <title>{`${key}: ${format(value)}`}</title>
              </path>
            ))}
        </svg>
        <span class="ends">
          <span>{points[0]?.key}</span>
          <span>{points.at(-1)?.key}</span>
        </span>
      </div>
      <details>
        <summary>Figures</summary>
        <table class="figures">
          <tbody>
            {counted.map(({ key, value }) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                <td>{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
