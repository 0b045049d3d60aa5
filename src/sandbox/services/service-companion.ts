import type { Service } from "../../domain/evidence/test-needs.ts";
import { type Companion, keptVariable, NODE_VARIABLES } from "../companion.ts";

/** What the companion says of a service that did not become ready, as JSON. */
export interface NotReady {
  service: string;
  why: string;
  /** The end of what the service printed. */
  output: string;
}

interface ServiceInput {
  services: Service[];
  workspace: string;
  /** Names of variables, and where their values are kept. */
  kept: [string, string][];
}

/**
 * Starts services one after the other, each when the one before is ready, and stays to read what they print.
 * Runs inside the sandbox; see `Companion` for what it may use.
 */
export const serviceCompanion = (services: Service[], workspace: string): Companion<string> => ({
  input: JSON.stringify({
    services,
    workspace,
    kept: NODE_VARIABLES.map((name): [string, string] => [name, keptVariable(name)]),
  } satisfies ServiceInput),
  main: (input, say) => {
    const { spawn } = process.getBuiltinModule("node:child_process");
    const { get } = process.getBuiltinModule("node:http");
    const { connect } = process.getBuiltinModule("node:net");
    const given: ServiceInput = JSON.parse(input);
    const KEPT = 4_000;
    const PAUSE_MS = 50;

    interface Running {
      output: string;
      /** The text that says it is ready was printed. */
      seen: boolean;
      /** Why it will never be ready. */
      ended: string | null;
    }

    // The variables as the command has them.
    const own = { ...process.env };
    for (const [name, kept] of given.kept) {
      own[name] = own[kept] || undefined;
      delete own[kept];
    }
    const surroundings = ({ cwd, env }: Service) => ({
      cwd: `${given.workspace}/${cwd}`,
      env: { ...own, ...env },
    });

    function start(service: Service): Running {
      const running: Running = { output: "", seen: false, ended: null };
      const child = spawn("bash", ["-c", service.command], {
        ...surroundings(service),
        stdio: ["ignore", "pipe", "pipe"],
      });
      const keep = (chunk: Buffer) => {
        const all = running.output + chunk.toString("utf8");
        if ("log" in service.ready) running.seen ||= all.includes(service.ready.log);
        running.output = all.slice(-KEPT);
      };
      child.stdout.on("data", keep);
      child.stderr.on("data", keep);
      child.on("error", (error) => {
        running.ended = `it cannot be started (${error.message})`;
      });
      // When it has ended and all it printed is read. One that leaves a daemon behind and ends well is as good as one that stays.
      child.on("close", (code, signal) => {
        if (code !== 0) running.ended ??= `it ended with ${signal ?? `exit code ${code}`}`;
      });
      return running;
    }

    function check(service: Service, { seen }: Running, settle: (ready: boolean) => void): void {
      const { ready } = service;
      if ("log" in ready) {
        settle(seen);
      } else if ("port" in ready) {
        const socket = connect({ port: ready.port, host: "localhost" });
        socket
          .once("error", () => settle(false))
          .once("connect", () => {
            socket.destroy();
            settle(true);
          });
      } else if ("http" in ready) {
        const request = get(ready.http, { timeout: 1_000 }, (response) => {
          response.resume();
          settle((response.statusCode ?? 500) < 400);
        });
        request.on("timeout", () => request.destroy()).on("error", () => settle(false));
      } else {
        const child = spawn("bash", ["-c", ready.command], { ...surroundings(service), stdio: "ignore" });
        child.once("exit", (code) => settle(code === 0)).once("error", () => settle(false));
      }
    }

    function giveUp(service: Service, why: string, { output }: Running): void {
      const told: NotReady = { service: service.name, why, output };
      say(JSON.stringify(told));
      process.exit(1);
    }

    function next([service, ...others]: Service[]): void {
      if (service === undefined) {
        say("ready");
        return;
      }
      const running = start(service);
      const tooLate = `it was not ready within ${service.timeoutMs / 1000} s`;
      const timer = setTimeout(() => giveUp(service, tooLate, running), service.timeoutMs);
      const look = () => {
        if (running.ended !== null) {
          giveUp(service, running.ended, running);
          return;
        }
        let answered = false;
        check(service, running, (ready) => {
          if (answered) return;
          answered = true;
          if (!ready) {
            setTimeout(look, PAUSE_MS);
            return;
          }
          clearTimeout(timer);
          next(others);
        });
      };
      look();
    }

    next(given.services);
  },
});
