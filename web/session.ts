import { useEffect, useState } from "preact/hooks";
import { api, Problem } from "./api.ts";
import { connection } from "./live/connection.ts";

export interface Session {
  state: "opening" | "in" | "out";
  problem: Problem | undefined;
  signIn(token: string): Promise<void>;
}

/** The printed link carries the token behind its #. It becomes a cookie that no script can read, and leaves the address. */
export function useSession(): Session {
  const [state, setState] = useState<Session["state"]>("opening");
  const [problem, setProblem] = useState<Problem>();
  const signIn = async (token: string) => {
    try {
      await api.signIn(token);
      connection.set("there");
      setProblem(undefined);
      setState("in");
    } catch (error) {
      setProblem(error instanceof Problem ? error : new Problem(0, "page.fault", String(error)));
      setState("out");
    }
  };
  useEffect(() => {
    const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
    if (token === undefined) {
      setState("in");
      return;
    }
    history.replaceState(null, "", `${location.pathname}#/tasks`);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
    void signIn(decodeURIComponent(token));
  }, []);
  return { state, problem, signIn };
}
