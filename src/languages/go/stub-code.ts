import { type Missing, type MissingName, SENTINEL, type StubKind } from "../stub.ts";

/** A Go file with everything that is missing. It compiles, and does nothing yet. */
export function goStub({ names, existing, package: own }: Missing, kind: StubKind): string {
  if (existing !== null) return existing;
  const definitions = names.map((name) => definition(name, names, kind)).filter((code) => code !== "");
  const body = definitions.join("\n\n");
  const imports = Object.entries({ errors: "errors", ...own?.imports }).filter(([alias]) => body.includes(`${alias}.`));
  const lines = imports.map(([alias, path]) => `import ${alias} ${JSON.stringify(path)}`);
  return `${[`package ${own?.name || "main"}`, lines.join("\n"), body].filter((part) => part !== "").join("\n\n")}\n`;
}

function definition({ name, shape, types = [], open = 0 }: MissingName, all: MissingName[], kind: StubKind): string {
  switch (shape) {
    case "error":
      return `var ${name} = errors.New(${JSON.stringify(name)})`;
    case "value":
      return `var ${name} ${types[0] ?? "any"} = ${kind === "sentinel" ? sentinel(types[0] ?? "any") : zero(types[0] ?? "any")}`;
    case "class": {
      const fields = all.flatMap((one) => (one.shape === "field" && one.name.startsWith(`${name}.`) ? [one] : []));
      const lines = fields.map((one) => `\t${one.name.slice(name.length + 1)} ${one.types?.[0] ?? "any"}\n`);
      // Something with such a name is used as an error.
      const isError = /Error$/.test(name) && !all.some((one) => one.name === `${name}.Error`);
      const method = isError ? `\n\nfunc (own ${name}) Error() string { return ${JSON.stringify(SENTINEL)} }` : "";
      return `type ${name}${parameters(open, " any")} struct {\n${lines.join("")}}${method}`;
    }
    case "method": {
      const [type = "", member = ""] = name.split(".");
      const own = all.find((one) => one.name === type)?.open ?? 0;
      return `func (own ${type}${parameters(own)}) ${member}${signature(types, kind)}`;
    }
    case "function":
    case "async-function":
      return `func ${name}${parameters(open, " any")}${signature(types, kind)}`;
    case "field":
      return "";
  }
}

const parameters = (count: number, constraint = ""): string =>
  count === 0 ? "" : `[${Array.from({ length: count }, (_, index) => `T${index}`).join(", ")}${constraint}]`;

/** It accepts any arguments. */
function signature(types: string[], kind: StubKind): string {
  const results = types.length === 0 ? ["any"] : types;
  const values = results.map((type) => (kind === "sentinel" ? sentinel(type) : zero(type)));
  const body = kind === "raising" ? 'panic("not implemented")' : `return ${values.join(", ")}`;
  return `(given ...any) (${results.join(", ")}) {\n\t${body}\n}`;
}

/**
 * Nothing that would itself crash or block a test: a pointer is not nil, and a channel is closed, so that nobody waits
 * for it.
 */
function zero(type: string): string {
  const pointed = /^\*(\w+)$/.exec(type)?.[1];
  if (pointed !== undefined) return `new(${pointed})`;
  if (!type.startsWith("chan ")) return `*new(${type})`;
  return `func() ${type} { closed := make(${type}); close(closed); return closed }()`;
}

/** A value that no test would expect. */
function sentinel(type: string): string {
  if (type === "string") return JSON.stringify(SENTINEL);
  if (type === "bool") return "true";
  if (type === "error") return `errors.New("${SENTINEL}")`;
  if (/^(int|int32|int64|rune)$/.test(type)) return `${type}(-86420861)`;
  if (/^float(32|64)$/.test(type)) return `${type}(-86420861.5)`;
  if (/^(u?int\d*|byte)$/.test(type)) return `${type}(113)`;
  if (type === "any") return `struct{ opaque string }{"${SENTINEL}"}`;
  const element = /^\[\](.+)$/s.exec(type)?.[1];
  if (element !== undefined) return `${type}{${sentinel(element)}}`;
  return zero(type);
}
