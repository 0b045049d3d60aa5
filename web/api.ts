import type { EvidenceDocument } from "../src/domain/evidence/evidence-document.ts";
import type { PlanState } from "../src/domain/task/plan-state.ts";
import { connection } from "./live/connection.ts";
import type {
  MemoryRecord,
  MonthBudget,
  NewGoal,
  Question,
  QueueView,
  Setting,
  SignedIn,
  StepDetail,
  StepPage,
  TaskFigures,
  TaskPage,
  TaskUsage,
  TaskView,
  Used,
} from "./shapes.ts";

/** What the server answered instead: one line for people, a code for programs. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "Problem";
    this.status = status;
    this.code = code;
  }
}

interface TaskQuery {
  limit: number;
  before?: string | undefined;
  status?: "running" | "paused";
  /** Words of the goal. */
  search?: string;
}

type Signal = AbortSignal | undefined;

const ofTask = (id: string, rest = ""): string => `/tasks/${encodeURIComponent(id)}${rest}`;

/** Everything the page asks its server for. Paths are relative: nothing else is ever asked. */
export const api = {
  /** The token becomes a cookie. */
  signIn: (token: string) => post<SignedIn>("/session", { token }),
  session: (signal?: Signal) => get<SignedIn>("/session", signal),
  signOut: () => post<{ ended: boolean }>("/session/end"),
  directories: (signal?: Signal) => get<{ directories: string[] }>("/directories", signal),
  settings: (directory: string | undefined, signal?: Signal) =>
    get<{ settings: Setting[] }>(`/settings?${parameters({ directory })}`, signal),

  tasks: (query: TaskQuery, signal?: Signal) => get<TaskPage>(`/tasks?${parameters({ ...query })}`, signal),
  task: (id: string, signal?: Signal) => get<TaskView>(ofTask(id), signal),
  plan: (id: string, signal?: Signal) => get<{ plan: PlanState | null }>(ofTask(id, "/plan"), signal),
  usage: (id: string, signal?: Signal) => get<TaskUsage>(ofTask(id, "/usage"), signal),
  diff: (id: string, signal?: Signal) => text(ofTask(id, "/diff"), signal),
  evidence: (id: string, signal?: Signal) => get<EvidenceDocument>(ofTask(id, "/evidence"), signal),
  steps: (id: string, after: number, signal?: Signal) =>
    get<StepPage>(ofTask(id, `/steps?${parameters({ after, limit: 1000 })}`), signal),
  step: (id: string, number: number, signal?: Signal) => get<StepDetail>(ofTask(id, `/steps/${number}`), signal),
  /** Server-sent events of a task, from behind this one on. */
  events: (id: string, after: number, signal: AbortSignal) =>
    send("GET", ofTask(id, "/events"), { signal, headers: { "last-event-id": String(after) } }),

  start: (goal: NewGoal) => post<TaskView>("/tasks", goal),
  act: (id: string, action: "pause" | "resume" | "cancel" | "undo" | "apply") =>
    post<TaskView>(ofTask(id, `/${action}`)),
  tell: (id: string, message: string) => post<{ number: number }>(ofTask(id, "/tell"), { message }),
  fork: (id: string, fork: { at: number; model?: string }) => post<TaskView>(ofTask(id, "/fork"), fork),
  continue: (id: string, goal: string) => post<TaskView>(ofTask(id, "/continue"), { goal }),

  questions: (task: string | undefined, signal?: Signal) =>
    get<{ approvals: Question[] }>(`/approvals?${parameters({ task })}`, signal),
  answer: (id: string, answer: { granted: boolean; reason: string; holds?: "once" | "task" | "always" }) =>
    post<Question>(`/approvals/${encodeURIComponent(id)}`, answer),

  queue: (signal?: Signal) => get<QueueView>("/queue", signal),
  revive: (id: string) => post<{ id: string }>(`/queue/${encodeURIComponent(id)}/revive`),
  budgets: (signal?: Signal) => get<{ budgets: MonthBudget[] }>("/budgets", signal),

  memory: (signal?: Signal) => get<{ records: MemoryRecord[] }>("/memory?limit=1000", signal),
  forget: (ids: string[]) => post<{ forgotten: number }>("/memory/forget", { ids }),
  taskFigures: (days: number, by: "all" | "day" | "language" | "kind", signal?: Signal) =>
    get<{ groups: TaskFigures[] }>(`/metrics/tasks?${parameters({ days, by })}`, signal),
  usageFigures: (days: number, by: "role" | "model", signal?: Signal) =>
    get<{ groups: Used[] }>(`/metrics/usage?${parameters({ days, by })}`, signal),
};

const get = async <T>(path: string, signal?: Signal): Promise<T> => (await send("GET", path, { signal })).json();

const text = async (path: string, signal?: Signal): Promise<string> => (await send("GET", path, { signal })).text();

const post = async <T>(path: string, body: object = {}): Promise<T> => {
  return (await send("POST", path, json(body))).json();
};

const json = (body: object): Sent => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

interface Sent {
  signal?: Signal;
  headers?: Record<string, string>;
  body?: string;
}

async function send(method: string, path: string, { signal, headers, body }: Sent): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    connection.set("away");
    throw new Problem(0, "server.away", "the server does not answer");
  });
  connection.set(response.status === 401 ? "strange" : "there");
  if (response.ok) return response;
  const told: { code?: string; detail?: string; title?: string } = await response.json().catch(() => ({}));
  const message = told.detail ?? told.title ?? `the server answered ${response.status}`;
  throw new Problem(response.status, told.code ?? "", message);
}

function parameters(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return new URLSearchParams(given).toString();
}
