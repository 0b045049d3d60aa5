import { useMemo } from "preact/hooks";
import type { Span } from "../live/task-story.ts";
import { duration } from "../parts/figures.ts";
import { workingTime } from "./working-time.ts";

const WIDE = 1000;
const THICK = 12;

interface Bar {
  x: number;
  width: number;
  kind: Span["kind"];
  ok: boolean;
  number: number;
  title: string;
}

interface TimelineProps {
  spans: readonly Span[];
  /** Grows with the spans, which are the same array. */
  size: number;
  /** The event that was chosen. */
  onChoose(number: number): void;
}

/** What was done when, a lane for each todo. Bars that would be narrower than a pixel are one: any number can be drawn. */
export function Timeline({ spans, size, onChoose }: TimelineProps) {
  const { lanes, total } = useMemo(() => lanesOf(spans), [spans, size]);
  if (lanes.length === 0) return null;
  return (
    <div class="timeline">
      <p class="legend">
        <span class="key model">model</span> <span class="key tool">tool</span> <span class="key tests">tests</span>
        <span class="total">{duration(total)} of work</span>
      </p>
      <dl>
        {lanes.map(([lane, bars]) => (
          <div key={lane}>
            <dt title={lane}>{lane}</dt>
            <dd>
              <svg
                viewBox={`0 0 ${WIDE} ${THICK}`}
                preserveAspectRatio="none"
                role="img"
                aria-label={`${bars.length} pieces of work; the steps are listed under Steps`}
              >
                {bars.map((bar) => (
                  <rect
                    key={bar.number}
                    class={`${bar.kind} ${bar.ok ? "" : "failed"}`}
                    x={bar.x}
                    y={bar.kind === "tool" ? 3 : 0}
                    width={bar.width}
                    height={bar.kind === "tool" ? THICK - 6 : THICK}
                    onClick={() => onChoose(bar.number)}
                  >
                    <title>{bar.title}</title>
                  </rect>
                ))}
              </svg>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function lanesOf(spans: readonly Span[]): { lanes: [string, Bar[]][]; total: number } {
  const time = workingTime(spans);
  const scale = WIDE / Math.max(1, time.total);
  const lanes = new Map<string, Bar[]>();
  for (const { number, lane, kind, label, from, to, ok } of spans) {
    const bars = lanes.get(lane) ?? [];
    lanes.set(lane, bars);
    const x = time.at(from) * scale;
    const end = Math.max(x + 1.5, time.at(to) * scale);
    const last = bars.at(-1);
    if (last && last.kind === kind && last.ok === ok && x < last.x + 1.5) {
      last.width = Math.max(last.width, end - last.x);
      continue;
    }
    bars.push({ x, width: end - x, kind, ok, number, title: `${label}, ${duration(to - from)}` });
  }
  // Tests may run inside of a tool: what is wider is drawn first.
  for (const bars of lanes.values()) bars.sort((a, b) => Number(b.kind === "tool") - Number(a.kind === "tool"));
  return { lanes: [...lanes], total: time.total };
}
