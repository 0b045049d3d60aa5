import type { TaskStory } from "../live/task-story.ts";
import { duration } from "../parts/figures.ts";
import { Section } from "../parts/section.tsx";

type Choice = TaskStory["candidates"][number];

/** Several attempts at one todo side by side, and which of them the tests chose. */
export function Candidates({ choice: { todo, chosen, candidates } }: { choice: Choice }) {
  return (
    <Section title={`Candidates for ${todo}`} aside="tests choose">
      <div class="scrolled" tabIndex={0} role="group" aria-label={`Candidates for ${todo}`}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Candidate</th>
              <th scope="col">Tests</th>
              <th scope="col">Unseen tests</th>
              <th scope="col">Changed lines</th>
              <th scope="col">Tests took</th>
            </tr>
          </thead>
          <tbody>
            {candidates.map(({ number, green, red, unseenRed, changedLines, durationMs }) => (
              <tr key={number}>
                <th scope="row">
                  {number} {number === chosen && <strong class="good">✓ chosen</strong>}
                </th>
                <td class={green ? "good" : "bad"}>{green ? "green" : `${red} red`}</td>
                <td>{unseenRed === null ? "not needed" : unseenRed === 0 ? "green" : `${unseenRed} red`}</td>
                <td>{changedLines}</td>
                <td>{duration(durationMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
