import type { ComponentChildren } from "preact";
import { count } from "../parts/figures.ts";
import { Section } from "../parts/section.tsx";
import type { EvidenceDocument } from "../shapes.ts";

/** Everything else that somebody who must decide should know. What is empty is not there. */
export function Remarks({ document }: { document: EvidenceDocument }) {
  const { integrity, disputes, replaced = [], approvals, amended = [], reviews = [], scans, flakes } = document;
  const { witness, checks = [], notChecked, notes, mutants, coverage, sharpened } = document;
  const survived = (mutants?.results ?? []).filter(({ fate }) => fate === "survived");
  const unmeasured = (coverage?.files ?? []).flatMap((file) => (file.available ? [] : [file]));
  const only = witness?.tests.filter(({ outcome }) => outcome === "failed") ?? [];
  return (
    <>
      <List title="About the tests themselves" items={integrity}>
        {({ weight, message, path, test }) => (
          <>
            <strong class={weight === "tampering" ? "bad" : ""}>
              {weight === "tampering" ? "Tampering" : "To look at"}
            </strong>{" "}
            {message} <code>{test ?? path ?? ""}</code>
          </>
        )}
      </List>
      <List title="Mutants that no test noticed" items={survived}>
        {({ mutant, reason }) => (
          <>
            <code>
              {mutant.path}:{mutant.line}
            </code>{" "}
            {mutant.description} {reason !== "" && <span class="hint">{reason}</span>}
          </>
        )}
      </List>
      {mutants?.problem != null && <p class="bad">Mutants do not count: {mutants.problem}</p>}
      <List title="Tests written for them" items={sharpened?.tests ?? []}>
        {({ id, end, noticed, reason }) => (
          <>
            <code>{id}</code> {end}
            {noticed.length > 0 && `, notices ${noticed.join("; ")}`} {reason}
          </>
        )}
      </List>
      <List title="Works only where it is tested" items={only}>
        {({ id, message }) => (
          <>
            <code>{id}</code> {message}
          </>
        )}
      </List>
      <List title="Coverage is not known" items={unmeasured}>
        {({ path, reason }) => (
          <>
            <code>{path}</code> {reason}
          </>
        )}
      </List>
      <List title="Tests that flipped" items={flakes?.flipped ?? []}>
        {({ id, outcomes }) => (
          <>
            <code>{id}</code> {outcomes.join(", ")}
          </>
        )}
      </List>
      <List title="Disputes" items={disputes}>
        {({ test, ruling, quote, reason }) => (
          <>
            <strong>{ruling === "upheld" ? "The test is right" : "The test is void"}</strong> <code>{test}</code>{" "}
            {reason}
            {quote !== "" && <q>{quote}</q>}
          </>
        )}
      </List>
      <List title="Tests that were at fault and replaced" items={replaced}>
        {({ test, why, by }) => (
          <>
            <code>{test}</code> {why} <span class="hint">Now: {by.join(", ")}</span>
          </>
        )}
      </List>
      <List title="What you said while it worked" items={amended}>
        {({ words, by, added, changed, dropped }) => (
          <>
            {by}: “{words}” <span class="hint">{[...added, ...changed, ...dropped].join(", ") || "a hint"}</span>
          </>
        )}
      </List>
      <List title="What was asked and answered" items={approvals}>
        {({ request, answer }) => (
          <>
            {request.question}{" "}
            <strong>{answer === null ? "open" : `${answer.granted ? "allowed" : "refused"} by ${answer.by}`}</strong>{" "}
            {answer?.reason}
          </>
        )}
      </List>
      <List title="Reviews" items={reviews}>
        {({ role, ruling, findings }) => (
          <>
            {role}: {ruling}
            {findings.length > 0 &&
              `, ${count(findings.length, "finding")}: ${findings.map(({ message }) => message).join("; ")}`}
          </>
        )}
      </List>
      <List title="Scan findings that are new" items={scans ?? []}>
        {(finding) => (
          <>
            <strong>{finding.severity}</strong> <code>{`${finding.path}:${finding.line}`}</code> {finding.message}
          </>
        )}
      </List>
      <List title="Lint and types" items={checks}>
        {({ command, passed, fresh }) => (
          <>
            <code>{command}</code> {passed ? "passed" : "failed"}
            {fresh.length > 0 && `, ${count(fresh.length, "new complaint")}`}
          </>
        )}
      </List>
      <List title="Not checked" items={notChecked}>
        {({ check, why }) => (
          <>
            <strong>{check}</strong>: {why}
          </>
        )}
      </List>
      <List title="To know" items={notes}>
        {(note) => note}
      </List>
    </>
  );
}

interface ListProps<T> {
  title: string;
  items: readonly T[];
  children(item: T): ComponentChildren;
}

function List<T>({ title, items, children }: ListProps<T>) {
  if (items.length === 0) return null;
  return (
    <Section title={title} aside={items.length}>
      <ul class="remarks">
        {items.map((item, index) => (
          <li key={index}>{children(item)}</li>
        ))}
      </ul>
    </Section>
  );
}
