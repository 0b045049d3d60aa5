import type { Contract, ContractFunction } from "../../domain/plan/contract.ts";
import type { LanguageName } from "../../domain/plan/spec.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";

interface ExampleTests {
  content: string;
  /** Names of the tests in it. */
  tests: string[];
}

/** The contract's examples of functions as tests that can be run; null where there are none, or none can be written. */
export async function exampleTests(
  parsers: SyntaxParsers,
  language: LanguageName,
  { functions, errors }: Contract,
  testPath: string,
): Promise<ExampleTests | null> {
  const write = language === "python" ? python : language === "go" ? null : script;
  if (!write) return null;
  const own = new Set(errors.map(({ name }) => name));
  const usable: ContractFunction[] = [];
  for (const item of functions) {
    const examples = item.examples.filter(({ call }) => !mentionsOthers(call, item, own));
    if (examples.length > 0) usable.push({ ...item, examples });
  }
  if (usable.length === 0) return null;
  const made = write(usable, testPath, language);
  const { broken } = await parsers.parse(language === "python" ? "python" : "javascript", made.content);
  return broken ? null : made;
}

/** A call that needs something else made first cannot stand alone. */
function mentionsOthers(call: string, { name }: ContractFunction, errors: Set<string>): boolean {
  const words = call.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, "").match(/(?<![\w.])[A-Za-z_]\w*(?=\s*\()/g) ?? [];
  return words.some((word) => word !== name && !BUILT_IN.has(word) && !errors.has(word));
}

const BUILT_IN = new Set(
  "str int float bool bytes list dict set tuple frozenset range len sorted Map Set Date Array Object Number String BigInt".split(
    " ",
  ),
);

function python(functions: ContractFunction[], _: string): ExampleTests {
  const imports = functions.map(({ file, name }) => {
    const module = file
      .replace(/(\/__init__)?\.py$/, "")
      .replace(/^src\//, "")
      .replaceAll("/", ".");
    return `from ${module} import ${name}`;
  });
  const tests: string[] = [];
  const bodies = functions.flatMap(({ name, async, examples }) =>
    examples.map(({ call, returns, raises }, index) => {
      const test = `test_${name}_example_${index + 1}`;
      tests.push(test);
      const value = async ? `asyncio.run(${call})` : call;
      const body =
        raises === undefined
          ? `    assert (${value}) == (${returns ?? "None"})`
          : `    with pytest.raises(Exception) as raised:\n        ${value}\n    assert ${JSON.stringify(bare(raises))} in [kind.__name__ for kind in type(raised.value).__mro__]`;
      return `def ${test}():\n${body}\n`;
    }),
  );
  const head = ["import asyncio  # noqa: F401", "", "import pytest  # noqa: F401", "", ...new Set(imports)];
  return { content: `${head.join("\n")}\n\n\n${bodies.join("\n\n")}`, tests };
}

function script(functions: ContractFunction[], testPath: string, language: LanguageName): ExampleTests {
  const up = "../".repeat(testPath.split("/").length - 1) || "./";
  const files = [...new Set(functions.map(({ file }) => file))];
  const imports = files.map((file, index) => `import * as part${index} from ${JSON.stringify(up + file)};`);
  const names = functions.map(
    ({ file, name }) => `const { ${name} } = { ...part${files.indexOf(file)}.default, ...part${files.indexOf(file)} };`,
  );
  const tests: string[] = [];
  const bodies = functions.flatMap(({ name, examples }) =>
    examples.map(({ call, returns, raises }, index) => {
      const test = `${name}: example ${index + 1}`;
      tests.push(test);
      const body =
        raises === undefined
          ? `  assert.deepStrictEqual(await (${call}), ${returns ?? "undefined"});`
          : `  await assert.rejects(async () => (${call}), (error) => error.name === ${JSON.stringify(bare(raises))} || error.constructor.name === ${JSON.stringify(bare(raises))});`;
      return `test(${JSON.stringify(test)}, async () => {\n${body}\n});\n`;
    }),
  );
  // An example may well call with what the types forbid, and the coder could not mend what a type check says of this file.
  const unchecked = language === "typescript" ? ["// @ts-nocheck"] : [];
  const runner = ['import assert from "node:assert";', 'import { test } from "node:test";'];
  const head = [...unchecked, ...runner, ...imports, "", ...names];
  return { content: `${head.join("\n")}\n\n${bodies.join("\n")}`, tests };
}

const bare = (name: string): string => /[A-Za-z_]\w*(?=\s*(\(|$))/.exec(name)?.[0] ?? name;
