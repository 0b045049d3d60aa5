import { useRef, useState } from "preact/hooks";
import { EvidenceView } from "../evidence/evidence-view.tsx";
import { type OpenedBundle, openBundle } from "../evidence/open-bundle.ts";
import { announce } from "../live/announce.ts";
import { Hint } from "../parts/notice.tsx";

/** Evidence from anywhere: a bundle of another machine, or of another agent's change. It never leaves the browser. */
export function EvidencePage() {
  const [opened, setOpened] = useState<OpenedBundle>();
  const [problem, setProblem] = useState("");
  const [over, setOver] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const open = async (files: File[]) => {
    try {
      const bundle = await openBundle(files);
      setProblem("");
      setOpened(bundle);
      announce(`Opened ${bundle.name}`);
      heading.current?.focus();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        Evidence
      </h1>
      <div
        class={`drop ${over ? "over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void open([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <label class="button" for="bundle">
          Open files of a bundle
        </label>
        <input
          id="bundle"
          class="unseen"
          type="file"
          multiple
          accept=".json,.patch,.diff"
          onChange={(event) => void open([...(event.currentTarget.files ?? [])])}
        />
        <p class="hint">
          <code>evidence.json</code>, and <code>change.patch</code> beside it for the code, of{" "}
          <code>miracle prove -o DIR</code> or <code>miracle evidence ID -o DIR</code>. They stay in this browser.
        </p>
      </div>
      {problem !== "" && (
        <p class="trouble" role="alert">
          {problem}
        </p>
      )}
      {opened ? (
        <>
          <Hint>
            {opened.name}, as it says of itself. <code>miracle verify DIR</code> checks that it is true.
          </Hint>
          <EvidenceView key={opened.name} document={opened.document} patch={opened.patch} />
        </>
      ) : (
        <Hint>The evidence of a task stands on the task's own page.</Hint>
      )}
    </>
  );
}
