import { z } from "zod";
import { canonicalJson, plainJson, readJson } from "../../domain/json.ts";
import { sha256 } from "../../journal/hash.ts";

const FORMAT = "miracle-measurements/1";

const Row = z.strictObject({
  name: z.string(),
  /** The hash of what it was measured of; absent where the name says all. */
  of: z.string().optional(),
  found: z.unknown(),
  ms: z.int().nonnegative(),
});
type Row = z.infer<typeof Row>;

const MeasurementsFile = z.strictObject({ format: z.literal(FORMAT), rows: z.array(Row) });

/** A proof rests on something that was measured of something else, or not at all. */
export class NotMeasured extends Error {
  constructor(name: string) {
    super(`nobody measured this: ${name}`);
    this.name = "NotMeasured";
  }
}

/**
 * What a proof found out by running something or by looking at a person's directory. Everything else of it follows from
 * this and the trees. So the same function makes a proof, and makes its document again with nothing at hand but these.
 *
 * 1. What was measured is used as it will be read back: both times the proof sees the same values.
 * 2. A measurement is known by its name and by what it was measured of: of something else it is none.
 */
export class Measurements {
  readonly #rows: Row[] = [];
  readonly #known: Map<string, Row>;
  readonly #isOver: boolean;
  readonly #began = performance.now();

  /** `known` is taken as it is; what is missing is measured, unless it is over. */
  constructor(known: readonly Row[] = [], isOver = false) {
    this.#known = new Map(known.map((row) => [keyOf(row), row]));
    this.#isOver = isOver;
  }

  /** Of a proof that was made elsewhere; null where the text is none. */
  static read(text: string): Measurements | null {
    const file = MeasurementsFile.safeParse(readJson(text)).data;
    const isOnce = new Set(file?.rows.map(keyOf)).size === file?.rows.length;
    return file && isOnce ? new Measurements(file.rows, true) : null;
  }

  /** What is found by `work`; `of`: what it depends on, as far as the name does not say it. */
  async take<S extends z.ZodType>(
    name: string,
    schema: S,
    work: () => Promise<z.output<S>>,
    of?: unknown,
  ): Promise<z.output<S>> {
    const place = { name, ...(of !== undefined && { of: sha256(canonicalJson(of)) }) };
    const known = this.#known.get(keyOf(place));
    if (!known && this.#isOver) throw new NotMeasured(name);
    const row = known ?? (await measured(place, schema, work));
    if (!this.#rows.includes(row)) this.#rows.push(row);
    return schema.parse(row.found);
  }

  /** Only these of what is known: the others are to be measured again. */
  only(...names: string[]): Measurements {
    return new Measurements([...this.#known.values()].filter(({ name }) => names.includes(name)));
  }

  /** Without the tools: packages that were installed for the first time take nothing from the mutants. */
  get elapsedMs(): number {
    const tools = this.#rows.find(({ name }) => name === "tools")?.ms ?? 0;
    return performance.now() - this.#began - tools;
  }

  /** How long each stage took that took any time, in the order in which they ended. */
  stages(): { stage: string; ms: number }[] {
    const times = new Map<string, number>();
    for (const { name, ms } of this.#inOrder()) times.set(name, (times.get(name) ?? 0) + ms);
    return [...times].flatMap(([stage, ms]) => (ms > 0 ? { stage, ms } : []));
  }

  /** Those that no proof asked for. */
  unused(): string[] {
    const used = new Set(this.#rows);
    return [...this.#known.values()].filter((row) => !used.has(row)).map(({ name }) => name);
  }

  toText(): string {
    return `${JSON.stringify({ format: FORMAT, rows: this.#inOrder() })}\n`;
  }

  /** Several are measured at once: of a proof that is over, the order is that in which they ended then. */
  #inOrder(): Row[] {
    const used = new Set(this.#rows);
    return this.#isOver ? [...this.#known.values()].filter((row) => used.has(row)) : this.#rows;
  }
}

async function measured<S extends z.ZodType>(
  place: Omit<Row, "found" | "ms">,
  schema: S,
  work: () => Promise<z.output<S>>,
): Promise<Row> {
  const start = performance.now();
  const found = plainJson(schema.encode(await work()));
  return { ...place, found, ms: Math.round(performance.now() - start) };
}

const keyOf = ({ name, of }: Omit<Row, "found" | "ms">): string => `${name} ${of ?? ""}`;
