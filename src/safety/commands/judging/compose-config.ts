import { type Field, literal } from "../shell/field.ts";

/** Options of `docker compose` whose value is a name or a file of the project. */
const VALUES = new Set(["-f", "--file", "-p", "--project-name", "--profile", "--env-file", "--project-directory"]);

/** What `config` may be asked for: it prints, and neither writes, fetches nor starts anything. */
const SHOWN =
  /^(?:-q|--quiet|--services|--volumes|--images|--profiles|--networks|--environment|--no-interpolate|--no-normalize|--no-consistency|--format=(?:json|yaml))$/;

/** No option, nothing above the project, no address. */
const NAME = /^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[\w.][\w./-]*$/;

/**
 * `docker compose config`: reads the project's file and prints it, which no engine is needed for. Every word must be
 * known, in its place: all else that these programs do starts containers.
 */
export function onlyShowsCompose(base: string, words: readonly Field[]): boolean {
  const given = words.map((field) => literal(field));
  if (base === "docker" && given.shift() !== "compose") return false;
  if (base !== "docker" && base !== "docker-compose") return false;
  while (given[0]?.startsWith("-")) {
    const [option = "", value] = (given.shift() ?? "").split(/=(.*)/s);
    const told = value ?? given.shift();
    if (!VALUES.has(option) || told === undefined || !NAME.test(told)) return false;
  }
  const [command, ...rest] = given;
  return command === "config" && rest.every((word) => word !== undefined && (SHOWN.test(word) || NAME.test(word)));
}
