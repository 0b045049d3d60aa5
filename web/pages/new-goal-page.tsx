import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { useResource } from "../live/use-resource.ts";
import { Trouble } from "../parts/notice.tsx";
import { useAction } from "../parts/use-action.ts";
import { taskHref } from "../route.ts";
import type { NewGoal } from "../shapes.ts";

/** A goal, and what one may say about how it is worked on. */
export function NewGoalPage() {
  const places = useResource((signal) => api.directories(signal), []);
  const names = places.value?.directories ?? [];
  const starting = useAction();
  const [goal, setGoal] = useState("");
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const wanted = readForm(new FormData(event.currentTarget));
    starting.run(async () => {
      const task = await api.start(wanted);
      location.hash = taskHref(task.id);
    });
  };
  return (
    <>
      <h1 tabIndex={-1}>New goal</h1>
      <form class="goal-form" onSubmit={start}>
        <label for="goal">What should be true when it is done?</label>
        <textarea
          id="goal"
          name="goal"
          rows={6}
          required
          value={goal}
          placeholder="Fix the rounding bug in invoice.py: amounts are rounded half up"
          onInput={(event) => setGoal(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
        {names.length > 1 && (
          <>
            <label for="directory">Directory</label>
            <select id="directory" name="directory">
              {names.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </>
        )}
        <details>
          <summary>Limits and acceptance</summary>
          <div class="fields">
            <label for="accept">Commands whose success you accept as proof, one on each line</label>
            <textarea id="accept" name="accept" rows={2} placeholder="npm test" spellcheck={false} />
            <label for="effort">Effort</label>
            <select id="effort" name="effort">
              <option value="">as the settings say</option>
              <option value="quick">quick</option>
              <option value="standard">standard</option>
              <option value="thorough">thorough</option>
            </select>
            <label for="max-cost">Most dollars</label>
            <input id="max-cost" name="maxCost" inputMode="decimal" pattern="[0-9]+([.][0-9]+)?" placeholder="2" />
            <label for="timeout">Longest time</label>
            <input id="timeout" name="timeout" placeholder="30m" pattern="[0-9]+(ms|s|m|h|d)" />
            <label class="check">
              <input type="checkbox" name="keep" /> Keep the result; do not write it into the directory
            </label>
          </div>
        </details>
        <Trouble problem={starting.problem} />
        <div class="buttons">
          <button type="submit" class="strong" disabled={starting.busy || goal.trim() === ""}>
            Start
          </button>
          <span class="hint">Ctrl Enter starts it, too</span>
        </div>
      </form>
    </>
  );
}

function readForm(form: FormData): NewGoal {
  const field = (name: string) => String(form.get(name) ?? "").trim();
  const accept = field("accept")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return {
    goal: field("goal"),
    ...(field("directory") !== "" && { directory: field("directory") }),
    ...(accept.length > 0 && { accept }),
    ...(field("effort") !== "" && { effort: field("effort") }),
    ...(field("maxCost") !== "" && { maxCost: Number(field("maxCost")) }),
    ...(field("timeout") !== "" && { timeout: field("timeout") }),
    ...(form.get("keep") !== null && { apply: false }),
  };
}
