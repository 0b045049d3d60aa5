import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface SectionProps {
  title: ComponentChildren;
  /** Beside the title. */
  aside?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

/** A part of a page with its heading, which is its name for who listens. */
export function Section({ title, aside, children, class: name = "" }: SectionProps) {
  const id = useId();
  return (
    <section class={`section ${name}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
