/** When a service can be used: something listens on a port, an address answers, a command succeeds, or a text was printed. */
export type Readiness = { port: number } | { http: string } | { command: string } | { log: string };

/** A program that tests need running beside them: a server, a database. */
export interface Service {
  name: string;
  /** A line for the shell. It goes on running, or leaves something running and ends with 0. */
  command: string;
  /** Below the workspace; `.` is its root. */
  cwd: string;
  env: Record<string, string>;
  ready: Readiness;
  timeoutMs: number;
}

/** What the tests of a project need beside its files and interpreters. */
export interface TestNeeds {
  /** Started one after the other, in this order. */
  services: Service[];
  env: Record<string, string>;
}
