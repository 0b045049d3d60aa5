import { z } from "zod";
import type { Service } from "../domain/evidence/test-needs.ts";
import { parseYamlAs } from "./parse-yaml.ts";

/** Where a project usually keeps it. */
export const COMPOSE_FILES = ["docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml"];

/** A database of a compose file: by which program of this machine it is started, and how. */
export interface ComposeDatabase {
  name: string;
  image: string;
  /** The program that must be there, and Debian's package of it. Null: we do not start this kind. */
  start: { program: string; needs: string; service: Service } | null;
}

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const ComposeFile = z.lazy(() =>
  z.looseObject({
    services: z.record(
      z.string(),
      z.looseObject({
        image: z.string().optional(),
        environment: z.union([z.record(z.string(), Scalar), z.array(z.string())]).optional(),
        ports: z.array(z.unknown()).optional(),
      }),
    ),
  }),
);

const KINDS = /(?:^|\/)(postgres|postgis|redis|valkey|mariadb|mysql|mongo)(?:[:@]|$)/;

/** The databases that a compose file names, with what starts each of them in the sandbox of the tests. */
export function composeDatabases(text: string, file: string): ComposeDatabase[] {
  const { services } = parseYamlAs(ComposeFile, text, file).value;
  return Object.entries(services).flatMap(([title, { image = "", environment, ports = [] }]): ComposeDatabase[] => {
    const kind = KINDS.exec(image)?.[1];
    if (kind === undefined) return [];
    const name =
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, "-")
        .replace(/^[^a-z]+/, "") || kind;
    const order = { name, env: variables(environment), port: portOf(ports) };
    if (kind === "postgres" || kind === "postgis") return [{ name, image, start: postgres(order) }];
    if (kind === "redis" || kind === "valkey") return [{ name, image, start: redis(order) }];
    if (kind === "mariadb" || kind === "mysql") return [{ name, image, start: mariadb(order) }];
    return [{ name, image, start: null }];
  });
}

interface Order {
  name: string;
  env: Record<string, string>;
  /** As tests on the person's machine reach it; null where it says nothing. */
  port: number | null;
}

/** Data is in memory and gone with the tests. */
function postgres({ name, env, port }: Order) {
  const { POSTGRES_USER: user = "postgres", POSTGRES_PASSWORD: password = "", POSTGRES_DB: database = user } = env;
  const at = `/tmp/${name}`;
  const number = port ?? 5432;
  const lines = [
    "bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)",
    `printf %s ${quoted(password)} > ${at}.password`,
    `"$bin/initdb" -D ${at} -U ${quoted(user)} -E UTF8 ${password === "" ? "-A trust" : `-A scram-sha-256 --pwfile=${at}.password`}`,
    ...(database === "postgres"
      ? []
      : [
          `printf '%s;' ${quoted(`create database "${database.replaceAll('"', '""')}"`)} | "$bin/postgres" --single -D ${at} postgres`,
        ]),
    `exec "$bin/postgres" -D ${at} -h 127.0.0.1 -p ${number} -k /tmp -c fsync=off`,
  ];
  const ready = `PGPASSWORD=${quoted(password)} psql -h 127.0.0.1 -p ${number} -U ${quoted(user)} -d ${quoted(database)} -c 'select 1'`;
  return { program: "/usr/lib/postgresql", needs: "postgresql", service: service(name, lines, { command: ready }) };
}

/** MySQL, too: Debian has MariaDB alone, and tests that need what only MySQL has are red here. */
function mariadb({ name, env, port }: Order) {
  const said = (key: string): string => env[`MARIADB_${key}`] ?? env[`MYSQL_${key}`] ?? "";
  const [root, user, password, database] = [said("ROOT_PASSWORD"), said("USER"), said("PASSWORD"), said("DATABASE")];
  const at = `/tmp/${name}`;
  const number = port ?? 3306;
  const rights = database === "" ? "*.*" : `${identifier(database)}.*`;
  const statements = [
    ...(database === "" ? [] : [`create database if not exists ${identifier(database)}`]),
    // Made by the installation, without a password.
    "drop user if exists root@'127.0.0.1', root@'::1'",
    `grant all on *.* to root@'%' identified by ${text(root)} with grant option`,
    ...(user === "" || user === "root"
      ? []
      : [`grant all on ${rights} to ${text(user)}@'%' identified by ${text(password)}`]),
  ];
  const lines = [
    "export PATH=$PATH:/usr/sbin",
    `mariadb-install-db --no-defaults --datadir=${at} --auth-root-authentication-method=normal --skip-test-db`,
    `printf '%s;\\n' ${statements.map(quoted).join(" ")} > ${at}.sql`,
    `exec mariadbd --no-defaults --datadir=${at} --bind-address=127.0.0.1 --port=${number} --socket=${at}.sock ` +
      `--pid-file=${at}.pid --init-file=${at}.sql --skip-name-resolve`,
  ];
  const [as, by] = user === "" ? ["root", root] : [user, password];
  const client = `MYSQL_PWD=${quoted(by)} mariadb --no-defaults -h 127.0.0.1 -P ${number} -u ${quoted(as)}`;
  const ready = `${client} -e 'select 1' ${quoted(database)}`;
  return { program: "/usr/sbin/mariadbd", needs: "mariadb-server", service: service(name, lines, { command: ready }) };
}

const identifier = (name: string): string => `\`${name.replaceAll("`", "``")}\``;
const text = (value: string): string => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

function redis({ name, port }: Order) {
  const number = port ?? 6379;
  const line = `exec redis-server --bind 127.0.0.1 --port ${number} --save '' --appendonly no --dir /tmp`;
  return { program: "/usr/bin/redis-server", needs: "redis-server", service: service(name, [line], { port: number }) };
}

const service = (name: string, lines: string[], ready: Service["ready"]): Service => ({
  name,
  command: lines.join(" && "),
  cwd: ".",
  env: {},
  ready,
  timeoutMs: 60_000,
});

/** `${NAME:-value}` is the value: what a person's shell has is not what a project says. */
const plain = (value: string): string => value.replaceAll(/\$\{\w+(?::?-([^}]*))?\}/g, (_, usual = "") => usual);

function variables(said: Record<string, z.infer<typeof Scalar>> | string[] | undefined): Record<string, string> {
  const pairs = Array.isArray(said)
    ? said.map((line): [string, string] => [line.split("=")[0] ?? "", line.split("=").slice(1).join("=")])
    : Object.entries(said ?? {}).map(([key, value]): [string, string] => [key, String(value ?? "")]);
  return Object.fromEntries(pairs.map(([key, value]) => [key, plain(value)]));
}

/** `"5433:5432"`, `127.0.0.1:5433:5432` or the long form: the number on the person's side. */
function portOf(ports: readonly unknown[]): number | null {
  const [first] = ports;
  const long = z.object({ published: z.coerce.number().int() }).safeParse(first);
  const short = /(?:^|:)(\d+):\d+(?:\/tcp)?$/.exec(plain(String(first ?? "")))?.[1];
  const port = long.success ? long.data.published : Number(short ?? 0);
  return port > 0 && port < 65_536 ? port : null;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
