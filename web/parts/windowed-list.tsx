import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { rowsBetween, startsOf } from "./visible-rows.ts";

export interface WindowedListProps<T> {
  items: readonly T[];
  /** In pixels. */
  heightOf(item: T): number;
  keyOf(item: T): string;
  label: string;
  children(item: T): ComponentChildren;
  /** Told when the end comes into sight. */
  onEnd?(): void;
}

/** A list of which only what can be seen is drawn, as the page scrolls. Ten thousand rows cost what thirty cost. */
export function WindowedList<T>({ items, heightOf, keyOf, label, children, onEnd }: WindowedListProps<T>) {
  const list = useRef<HTMLUListElement>(null);
  const [view, setView] = useState({ from: 0, to: 1200 });
  const starts = useMemo(() => startsOf(items.map(heightOf)), [items, heightOf]);
  const total = starts.at(-1) ?? 0;
  const look = () => {
    const box = list.current?.getBoundingClientRect();
    if (!box) return;
    // Some more than is seen, in steps: not every pixel of scrolling is a reason to draw.
    const from = Math.max(0, Math.floor((-box.top - 400) / 200) * 200);
    const to = from + Math.ceil((window.innerHeight + 1000) / 200) * 200;
    setView((before) => (before.from === from && before.to === to ? before : { from, to }));
  };
  useEffect(() => {
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, []);
  useLayoutEffect(look, [total]);
  const { first, behind } = rowsBetween(starts, view.from, view.to);
  const atEnd = behind >= items.length;
  useEffect(() => {
    if (atEnd) onEnd?.();
  }, [atEnd, items.length, onEnd]);
  return (
    <ul class="windowed" ref={list} aria-label={label} style={{ height: `${total}px` }}>
      {items.slice(first, behind).map((item, index) => (
        <li
          key={keyOf(item)}
          aria-setsize={items.length}
          aria-posinset={first + index + 1}
          style={{ transform: `translateY(${starts[first + index] ?? 0}px)`, height: `${heightOf(item)}px` }}
        >
          {children(item)}
        </li>
      ))}
    </ul>
  );
}
