import { ago, moment } from "./figures.ts";

/** A moment as people say it, and exactly for who wants to know. */
export function When({ at, now }: { at: number; now: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={moment(at)}>
      {ago(at, now)}
    </time>
  );
}
