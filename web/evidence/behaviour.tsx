import { count } from "../parts/figures.ts";
import { Section } from "../parts/section.tsx";
import type { EvidenceDocument } from "../shapes.ts";

/** Old and new code with the same inputs: what behaves otherwise. */
export function Behaviour({ document: { behaviour = [] } }: { document: EvidenceDocument }) {
  if (behaviour.length === 0) return null;
  const differing = behaviour.reduce((sum, one) => sum + one.differing.tests + one.differing.varied, 0);
  return (
    <Section
      title="What behaves otherwise than before"
      aside={differing === 0 ? "nothing that was tried" : count(differing, "call")}
    >
      {behaviour.map((one) => (
        <FunctionTable key={`${one.path} ${one.name}`} one={one} />
      ))}
    </Section>
  );
}

type FunctionBehaviour = NonNullable<EvidenceDocument["behaviour"]>[number];

function FunctionTable({ one }: { one: FunctionBehaviour }) {
  const { path, name, compared, differences, differing, problem, narrow } = one;
  const more = differing.tests + differing.varied - differences.length;
  return (
    <div class="behaviour">
      <h3>
        <code>{name}</code> <span class="hint">{path}</span>
      </h3>
      <p class="hint">
        {count(compared, "call")} compared{problem === null ? "" : `; ${problem}`}
        {narrow.length > 0 && `; only with ${narrow.join(", ")} and nothing near it`}
      </p>
      {differences.length > 0 && (
        <div class="scrolled" tabIndex={0} role="group" aria-label={`Calls of ${name} that differ`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Call</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
                <th scope="col">From</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ call, before, after, from }) => (
                <tr key={call}>
                  <td>
                    <code>{call}</code>
                  </td>
                  <td class="minus">
                    <code>{before}</code>
                  </td>
                  <td class="plus">
                    <code>{after}</code>
                  </td>
                  <td>{from === "tests" ? "a test" : "varied"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more > 0 && <p class="hint">and {count(more, "call")} more</p>}
    </div>
  );
}
