import { canDo, type Job, type Worker } from "./job.ts";

/** Jobs of one person for one project that need the same of a worker. */
export interface Line extends Pick<Job, "person" | "project" | "labels"> {
  /** How many could begin now. */
  ready: number;
  running: number;
  /** The highest of those that are ready. */
  priority: number;
  /** When the oldest that waits was entered, in milliseconds. */
  oldest: number;
  /** When one of it was begun last; 0: none that is still known. */
  lastTurn: number;
}

/**
 * Which line is next. Between people it is turns: who has least under way, then who waited longest for a turn. What is
 * urgent orders only what one person waits for, so that nobody can push others aside. Then a person's projects take turns
 * in the same way.
 */
export function nextLine(lines: readonly Line[], worker: Omit<Worker, "name">): Line | null {
  const byPerson = sharesBy(lines, ({ person }) => person);
  const byProject = sharesBy(lines, projectOf);
  const able = lines.filter((line) => line.ready > 0 && canDo(worker, line));
  const [first = null] = able.sort((a, b) => {
    const people = compareShares(byPerson.get(a.person), byPerson.get(b.person));
    const projects = compareShares(byProject.get(projectOf(a)), byProject.get(projectOf(b)));
    return people || b.priority - a.priority || projects || a.oldest - b.oldest;
  });
  return first;
}

interface Share {
  running: number;
  lastTurn: number;
}

const NOTHING: Share = { running: 0, lastTurn: 0 };

const projectOf = ({ person, project }: Line): string => JSON.stringify([person, project]);

function sharesBy(lines: readonly Line[], keyOf: (line: Line) => string): Map<string, Share> {
  const shares = new Map<string, Share>();
  for (const line of lines) {
    const key = keyOf(line);
    const { running, lastTurn } = shares.get(key) ?? NOTHING;
    shares.set(key, { running: running + line.running, lastTurn: Math.max(lastTurn, line.lastTurn) });
  }
  return shares;
}

const compareShares = (a = NOTHING, b = NOTHING): number => a.running - b.running || a.lastTurn - b.lastTurn;
