import { chownSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { examineDatabases } from "../src/cli/doctor/examine-databases.ts";
import { readTestNeeds } from "../src/config/test-needs.ts";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";
import { runWithServices } from "../src/sandbox/services/run-with-services.ts";
import { installPackages } from "./install-packages.ts";
import { temporaryDirectory } from "./temporary.ts";

vi.setConfig({ testTimeout: 180_000 });

const COMPOSE = `services:
  web:
    build: .
    depends_on: [db]
  db:
    image: postgres:16-alpine
    ports: ["\${PORT:-5433}:5432"]
    environment:
      POSTGRES_USER: app
      POSTGRES_PASSWORD: it's secret
      POSTGRES_DB: shop
  cache:
    image: docker.io/library/redis:7
    environment: [NOTHING=here]
`;

function project(services: string | null, compose = COMPOSE): string {
  const directory = temporaryDirectory("miracle-compose-");
  mkdirSync(join(directory, ".git"));
  mkdirSync(join(directory, ".miracle"));
  writeFileSync(join(directory, "docker-compose.yml"), compose);
  if (services !== null) writeFileSync(join(directory, ".miracle/services.yaml"), services);
  return directory;
}

test("databases of a compose file are offered, and started beside the tests once they are wanted", async () => {
  expect(examineDatabases(project(null))).toMatchObject([
    {
      text: "db (postgres:16-alpine), cache (docker.io/library/redis:7): not started for tests",
      remedy: expect.stringContaining("compose: docker-compose.yml"),
    },
  ]);
  const programs = ["/usr/lib/postgresql", "/usr/bin/redis-server"];
  if (!programs.every((path) => existsSync(path))) installPackages(["postgresql", "redis-server"]);
  const directory = project("compose: docker-compose.yml\n");
  expect(examineDatabases(directory)).toEqual([]);
  const { services } = await readTestNeeds(directory);
  const workspace = temporaryDirectory("miracle-compose-");
  const owner = droppedIdentity();
  if (owner) chownSync(workspace, owner.uid, owner.gid);
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  const line = [
    "PGPASSWORD=\"it's secret\" psql -h 127.0.0.1 -p 5433 -U app -d shop -Atc 'select current_database()'",
    "redis-cli -h 127.0.0.1 ping",
  ].join("; ");
  const limits = { cpus: 2, memoryMb: 1024, pids: 128, diskMb: 512, timeoutMs: 120_000, outputBytes: 20_000 };
  const command = { argv: ["bash", "-c", line], workspace };
  const { stdout, stderr } = await runWithServices(sandbox, command, services, limits, new AbortController().signal);
  expect(stdout, stderr).toBe("shop\nPONG\n");
});

test("MariaDB stands in for MySQL, with the names, passwords and port of the file", async ({ skip }) => {
  const isThere = () => existsSync("/usr/sbin/mariadbd");
  const problem = isThere() ? null : installPackages(["mariadb-server-core", "mariadb-client-core"]);
  if (problem !== null || !isThere()) skip(`MariaDB is not here: ${problem}`);
  const compose = `services:
  db:
    image: mysql:8
    ports: ["3307:3306"]
    environment: { MYSQL_USER: app, MYSQL_PASSWORD: "it's \\\\ secret", MYSQL_DATABASE: shop-1, MYSQL_ROOT_PASSWORD: root }
`;
  const { services } = await readTestNeeds(project("compose: docker-compose.yml\n", compose));
  const workspace = temporaryDirectory("miracle-compose-");
  const owner = droppedIdentity();
  if (owner) chownSync(workspace, owner.uid, owner.gid);
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  const client = "mariadb --no-defaults -h 127.0.0.1 -P 3307 -N";
  const line = [
    `MYSQL_PWD="it's \\\\ secret" ${client} -u app shop-1 -e 'create table a (b int); select database()'`,
    `MYSQL_PWD=root ${client} -u root -e 'select 1'`,
    `MYSQL_PWD=wrong ${client} -u root -e 'select 2' 2>&1 | grep -c denied`,
  ].join("; ");
  const limits = { cpus: 2, memoryMb: 1024, pids: 128, diskMb: 512, timeoutMs: 120_000, outputBytes: 20_000 };
  const command = { argv: ["bash", "-c", line], workspace };
  const { stdout, stderr } = await runWithServices(sandbox, command, services, limits, new AbortController().signal);
  expect(stdout, stderr).toBe("shop-1\n1\n1\n");
});

test("what cannot be started is said before anything begins, unless it is described", async () => {
  const compose = "services:\n  files:\n    image: mongo:7\n";
  await expect(readTestNeeds(project("compose: docker-compose.yml\n", compose))).rejects.toThrow(
    "docker-compose.yml: files (mongo:7) cannot be started here",
  );
  const own = "compose: docker-compose.yml\nservices: [{ name: files, command: ./mine, ready: { port: 27017 } }]\n";
  expect((await readTestNeeds(project(own, compose))).services).toMatchObject([{ name: "files", command: "./mine" }]);
  await expect(readTestNeeds(project("compose: other.yml\n"))).rejects.toThrow("names other.yml: there is none");
});
