import { useEffect, useState } from "preact/hooks";

/** `strange`: the server is there and does not know who asks. */
export type Connection = "there" | "away" | "strange";

let state: Connection = "there";
const followers = new Set<() => void>();

/** Whether the server answers, as the last request found it. One for the whole page. */
export const connection = {
  get: (): Connection => state,
  set(next: Connection): void {
    if (next === state) return;
    state = next;
    for (const follower of followers) follower();
  },
};

export function useConnection(): Connection {
  const [seen, see] = useState(state);
  useEffect(() => {
    const look = () => see(state);
    followers.add(look);
    look();
    return () => void followers.delete(look);
  }, []);
  return seen;
}
