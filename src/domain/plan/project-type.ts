import type { Template } from "./template.ts";

/** Kinds of project that have a template of the same name. */
const PROJECT_TYPES = ["web_app", "data_pipeline", "cli_tool", "library", "trading_strategy"] as const;
type ProjectType = (typeof PROJECT_TYPES)[number];

interface DetectedType {
  type: ProjectType;
  /** What told it, for the person: `the goal says “REST API”`. */
  because: string;
  /** The goal names a kind that is always built in the same steps: the whole template is meant. */
  binds: boolean;
}

/** These are known by their steps. Of the others only the advice is taken, unless the person names the template. */
const BINDING: ProjectType[] = ["trading_strategy"];

/** Words of a goal that leave little doubt. Ambiguous ones are left out: no guess is better than a wrong one. */
const WORDS: Record<ProjectType, RegExp> = {
  web_app:
    /\b(?:(?:REST|HTTP|JSON|web) ?(?:API|server|service)s?|REST(?:ful)? endpoints?|web ?(?:app|application|site)s?|(?:GET|POST|PUT|PATCH|DELETE) \/\S*)/i,
  data_pipeline: /\b(?:data pipelines?|ETL(?: jobs?)?|ingest(?:s|ion)? (?:of )?\S+ (?:files?|data|records?))\b/i,
  cli_tool: /\b(?:CLI|command[- ]line (?:tool|program|interface|utility|app)|terminal (?:tool|program))s?\b/i,
  library: /\b(?:librar(?:y|ies)|SDK)\b/i,
  trading_strategy:
    /\b(?:(?:trading|backtest(?:ing|ed)?|crossover|momentum|mean[- ]reversion|RSI|MACD) strateg(?:y|ies)|strateg(?:y|ies) (?:for|that) (?:trad(?:es?|ing)|buys? and sells?))\b/i,
};

/** What a manifest depends on or declares. Quoted names in JSON, plain ones in the others. */
const MANIFESTS: { file: string; type: ProjectType; sign: RegExp }[] = [
  { file: "package.json", type: "web_app", sign: /"(?:express|fastify|hono|koa|next|@nestjs\/core)"\s*:/ },
  { file: "package.json", type: "cli_tool", sign: /"bin"\s*:/ },
  { file: "pyproject.toml", type: "web_app", sign: /["'](?:flask|fastapi|django|starlette|aiohttp)\b/i },
  { file: "pyproject.toml", type: "data_pipeline", sign: /["'](?:apache-airflow|luigi|prefect|dagster)\b/i },
  { file: "pyproject.toml", type: "cli_tool", sign: /^\[project\.scripts\]/m },
  { file: "requirements.txt", type: "web_app", sign: /^(?:flask|fastapi|django|starlette|aiohttp)\b/im },
  { file: "requirements.txt", type: "data_pipeline", sign: /^(?:apache-airflow|luigi|prefect|dagster)\b/im },
  { file: "go.mod", type: "web_app", sign: /\b(?:gin-gonic\/gin|labstack\/echo|go-chi\/chi|gofiber\/fiber)\b/ },
  { file: "go.mod", type: "cli_tool", sign: /\bspf13\/cobra\b/ },
];

/** An address or a path says where something is written, not what is wanted. `GET /pears` is no path of a file. */
const ADDRESS = /\b[a-z][a-z+.-]*:\/\/\S+|\b[\w-]+(?:\.[\w-]+)+\/\S*|(?<!\S)[\w.-]+\/(?:\S*\/\S*|\S*\.\w+)/gi;
/** So do words that somebody else said, and names. An apostrophe begins none. */
const QUOTATION = /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|`[^`]*`|(?<=^|[\s([])'[^'\n]*'(?=$|[\s.,;:!?)\]])/g;

/**
 * The type that a goal's words name, or else the one that the project's manifests do. Null where nothing tells, or more
 * than one type is named: then nothing is added to the prompts.
 */
export function detectType(goal: string, read: (path: string) => string | null): DetectedType | null {
  const words = goal.replace(ADDRESS, " ").replace(QUOTATION, " ");
  const said = PROJECT_TYPES.flatMap((type) => {
    const found = WORDS[type].exec(words)?.[0];
    return found === undefined
      ? []
      : [{ type, because: `the goal says “${found.trim()}”`, binds: BINDING.includes(type) }];
  });
  if (said.length > 0) return onlyOne(said);
  return onlyOne(
    MANIFESTS.flatMap(({ file, type, sign }) => {
      const text = read(file);
      return text !== null && sign.test(text) ? [{ type, because: `${file} says so`, binds: false }] : [];
    }),
  );
}

function onlyOne(found: DetectedType[]): DetectedType | null {
  const [first] = found;
  return first && found.every(({ type }) => type === first.type) ? first : null;
}

/** A role's prompt with what a type adds to it. */
export const withNote = (prompt: string, { name, notes }: Template, role: keyof Template["notes"]): string => {
  const note = notes[role];
  return note === undefined ? prompt : `${prompt}\n\nFor this kind of project (${name}):\n${note}`;
};
