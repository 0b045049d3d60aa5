import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { connection } from "../live/connection.ts";
import { useResource } from "../live/use-resource.ts";
import { Trouble, Waiting } from "../parts/notice.tsx";
import { useAction } from "../parts/use-action.ts";

/** What a task that is started now would be steered by, and where each of it comes from. */
export function SettingsPage() {
  const places = useResource((signal) => api.directories(signal), []);
  const names = places.value?.directories ?? [];
  const [chosen, setChosen] = useState<string>();
  const [words, setWords] = useState("");
  const directory = chosen ?? names[0];
  const found = useResource(
    async (signal) => (directory === undefined ? undefined : api.settings(directory, signal)),
    [directory],
  );
  const shown = (found.value?.settings ?? []).filter(({ key, value, source }) =>
    `${key} ${JSON.stringify(value)} ${source}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <>
      <h1 tabIndex={-1}>Settings in force</h1>
      <SignedInAs />
      <div class="filters">
        <search>
          <label class="unseen" for="settings-search">
            Search settings
          </label>
          <input
            id="settings-search"
            type="search"
            placeholder="Search settings"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </search>
        {names.length > 1 && (
          <div>
            <label class="unseen" for="settings-directory">
              Directory
            </label>
            <select
              id="settings-directory"
              value={directory}
              onChange={(event) => setChosen(event.currentTarget.value)}
            >
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </div>
        )}
      </div>
      <Trouble problem={found.problem ?? places.problem} />
      {!found.value && !found.problem && <Waiting what="Asking for the settings" />}
      <div class="scrolled" tabIndex={0} role="group" aria-label="Settings">
        <table class="settings">
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Value</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, value, source }) => (
              <tr key={key}>
                <th scope="row">
                  <code>{key}</code>
                </th>
                <td>
                  <code>{typeof value === "string" ? value : JSON.stringify(value)}</code>
                </td>
                <td class="hint">{source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function SignedInAs() {
  const session = useResource((signal) => api.session(signal), []).value;
  const leaving = useAction();
  if (!session) return null;
  const leave = () =>
    leaving.run(async () => {
      await api.signOut();
      connection.set("strange");
    });
  return (
    <p class="signed-in">
      <span>
        Miracle {session.version}, signed in as <strong>{session.name}</strong> ({session.scopes.join(", ")})
      </span>
      <button type="button" disabled={leaving.busy} onClick={leave}>
        Sign out
      </button>
    </p>
  );
}
