import type { AddressInfo } from "node:net";
import { serve as listen, type ServerType } from "@hono/node-server";
import { sql } from "kysely";
import type { OpenedApp } from "../app.ts";
import { Bus, isDelta } from "../bus/bus.ts";
import { News } from "../bus/news.ts";
import type { ConfigFlags } from "../config/flags.ts";
import type { Configuration } from "../config/load-config.ts";
import { fail } from "../domain/failure.ts";
import type { AlwaysRule } from "../domain/settings/always-rule.ts";
import { STANDARD_PATH } from "../workspace/git.ts";
import { AuditLog } from "./access/audit-log.ts";
import { isLoopback } from "./access/own-address.ts";
import type { Rate } from "./access/rate-limit.ts";
import { EventStreams } from "./events/event-streams.ts";
import { newsOfEvent } from "./events/news-of-event.ts";
import { type NotificationParts, Notifications } from "./events/notifications.ts";
import { httpApp } from "./http-app.ts";
import { PageFiles } from "./page-files.ts";
import { agentRoutes } from "./routes/agent-routes.ts";
import { apiPageRoute } from "./routes/api-page.ts";
import { approvalRoutes } from "./routes/approval-routes.ts";
import { auditRoutes } from "./routes/audit-routes.ts";
import { contentsRoutes } from "./routes/contents-routes.ts";
import { healthRoutes } from "./routes/health-routes.ts";
import { memoryRoutes } from "./routes/memory-routes.ts";
import { metricsRoutes } from "./routes/metrics-routes.ts";
import { openApiRoute } from "./routes/open-api.ts";
import { sessionRoutes } from "./routes/session-routes.ts";
import { settingsRoutes } from "./routes/settings-routes.ts";
import { taskRoutes } from "./routes/task-routes.ts";
import { teamRoutes } from "./routes/team-routes.ts";
import { workflowRoutes } from "./routes/workflow-routes.ts";
import { Agents } from "./tasks/agents.ts";
import { MemoryRecords } from "./tasks/memory-records.ts";
import { Questions } from "./tasks/questions.ts";
import { TaskContents } from "./tasks/task-contents.ts";
import { Tasks } from "./tasks/tasks.ts";
import { TreeHost } from "./tree-host.ts";
import { Directories } from "./work/directories.ts";
import { lendVariables } from "./work/lend-variables.ts";
import { openQueue } from "./work/open-queue.ts";
import { openRepositories } from "./work/open-repositories.ts";
import type { RepositoryPlace } from "./work/repositories.ts";
import { type OpenWorkplace, Workplaces } from "./work/workplaces.ts";

export interface ServeOptions {
  host: string;
  port: number;
  /** Paths by name. */
  directories: Record<string, string>;
  /** Git addresses that it works on, too. */
  repositories?: RepositoryPlace;
  names: string[];
  /** Tasks at once. */
  parallel: number;
  /** True: tasks are left to the workers of the team's queue. */
  queue?: boolean;
  /** False: no token is asked for. */
  tokens: boolean;
  version: string;
  /** Where the built page lies. */
  page: string;
  /** For what concerns no directory. It stays the caller's. */
  home: OpenedApp;
  open: OpenWorkplace;
  configure(directory: string, flags: ConfigFlags): Promise<Configuration>;
  /** Writes what was allowed for always into the settings of whoever runs the server. */
  keepRule(rule: AlwaysRule): void;
  /** How a person is told that a task waits for them, or has ended; absent: not at all. */
  notify?: Pick<NotificationParts, "webhook" | "command" | "desktop" | "env">;
  report(error: unknown): void;
  limits?: Partial<ServeLimits>;
}

interface ServeLimits {
  rate: Rate;
  maxBodyBytes: number;
  maxStreams: number;
}

const LIMITS: ServeLimits = { rate: { perSecond: 50, burst: 200 }, maxBodyBytes: 1_000_000, maxStreams: 256 };

export interface RunningServer extends AsyncDisposable {
  /** `http://127.0.0.1:8000` */
  origin: string;
}

/**
 * Listens, and goes on with what an earlier process left. Disposing of it pauses running tasks at a step; the next
 * server takes them up again.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { host, port, names, parallel, tokens, version, home, open, configure, report } = options;
  if (!tokens && !isLoopback(host)) {
    const message = `without tokens only this machine may reach the server: leave out --no-token, or --host ${host}`;
    throw fail("invalid-input", "server.open", message);
  }
  const limits = { ...LIMITS, ...options.limits };
  const { store } = home.app;
  const bus = new Bus();
  const news = await News.open(await home.app.openWire(report));
  bus.subscribe((message) => {
    if (!isDelta(message)) for (const item of newsOfEvent(message)) news.tell(item);
  });
  const audit = new AuditLog(store, news);
  const stopping = new AbortController();
  if (options.notify) {
    bus.subscribe(new Notifications({ ...options.notify, audit, signal: stopping.signal, report }).hear);
  }
  const repositories = await openRepositories(options.repositories, store, bus, report);
  const directories = Directories.open({ ...options.directories, ...repositories.paths });
  const places = new Workplaces(open, bus);
  const work = { home: home.app, places, directories, parallel, report };
  const isForWorkers = options.queue === true;
  const { queue, jobs, deliveries } = await openQueue(work, isForWorkers);
  const tasks = new Tasks({ home: home.app, places, directories, repositories, queue, configure, isForWorkers });
  const contents = new TaskContents({ home: home.app, places, tasks });
  const memory = new MemoryRecords(home, directories, report);
  const questions = new Questions({ tasks, places, queue, keepRule: options.keepRule });
  const streams = new EventStreams({ store, news, maxStreams: limits.maxStreams });
  const ping = async () => void (await sql`select 1`.execute(store.read));
  const routes = [
    ...healthRoutes(version, ping),
    ...sessionRoutes(store, version),
    ...taskRoutes(tasks, streams, directories.names),
    ...contentsRoutes(contents),
    ...approvalRoutes(questions),
    ...agentRoutes(new Agents(tasks)),
    ...workflowRoutes(tasks, contents, questions),
    ...metricsRoutes(store, streams, jobs),
    ...teamRoutes(store, jobs),
    ...memoryRoutes(memory),
    ...auditRoutes(store),
    ...settingsRoutes(directories, (directory) => configure(directory, {})),
  ];
  const described = [...routes, apiPageRoute(routes, version)];
  const app = httpApp({
    routes: [...described, openApiRoute(described, version)],
    page: new PageFiles(options.page),
    ...(isForWorkers && {
      trees: new TreeHost(home.app.artifacts.gitDirectory, STANDARD_PATH),
      lend: (task: string) => lendVariables(places, directories, store, task),
    }),
    store,
    audit,
    tokens,
    names,
    ...limits,
    stopping: stopping.signal,
    report,
  });
  const { server, address } = await start(app.fetch, host, port);
  await queue.recover();
  await deliveries?.recover();
  return {
    origin: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      stopping.abort();
      await queue.stop();
      await deliveries?.stop();
      await jobs[Symbol.asyncDispose]();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
      await places[Symbol.asyncDispose]();
      await news[Symbol.asyncDispose]();
    },
  };
}

function start(
  fetch: (request: Request, env: object) => Response | Promise<Response>,
  hostname: string,
  port: number,
): Promise<{ server: ServerType; address: AddressInfo }> {
  return new Promise((resolve, reject) => {
    const server = listen({ fetch, hostname, port }, (address) => resolve({ server, address }));
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "is taken; --port gives another" : `cannot be used (${error.code})`;
      reject(fail("environment", "server.address", `${hostname}:${port} ${why}`, { cause: error }));
    });
  });
}
