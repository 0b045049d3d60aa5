import { useState } from "preact/hooks";
import type { Session } from "../session.ts";

/** Shown to who has no cookie, or an old one. */
export function SignInPage({ session }: { session: Session }) {
  const [token, setToken] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void session.signIn(token.trim());
  };
  return (
    <main class="sign-in" id="main">
      <h1>Miracle</h1>
      <p>
        Open the link that <code>miracle serve</code> printed at its first start, or make a token with{" "}
        <code>miracle token add NAME</code> and paste it here.
      </p>
      <form onSubmit={submit}>
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <button type="submit" class="strong" disabled={token.trim() === ""}>
          Sign in
        </button>
      </form>
      {session.problem && (
        <p class="trouble" role="alert">
          {session.problem.message}
        </p>
      )}
    </main>
  );
}
