import type { Contract } from "../../domain/plan/contract.ts";
import type { LanguageName, Requirement } from "../../domain/plan/spec.ts";

/** A test to be filled in: what it is about, the requirement it stands for, and what the contract lets it assert. */
interface Skeleton {
  /** Words of its name. */
  name: string[];
  requirement: string | undefined;
  /** What is promised, in one line. */
  promise: string;
  asserts: { call: string; returns?: string | undefined; raises?: string | undefined }[];
}

type Callable = Contract["functions"][number] | Contract["classes"][number]["methods"][number];

/** More would cost more to read than they help. */
const MOST_SKELETONS = 24;

/**
 * Where the tester may begin: a named test for each function, method and operation that a contract promises, its examples
 * as assertions. Written from the contract alone, by rule. Empty where it promises nothing that can be called.
 */
export function testSkeletons(contract: Contract, requirements: Requirement[], language: LanguageName): string {
  const about = (...names: string[]) => requirementNaming(requirements, names);
  const all: Skeleton[] = [
    ...contract.functions.map((item) => ofCallable([item.name], about(item.name), item)),
    ...contract.classes.flatMap(({ name, methods }) =>
      methods.map((method) => ofCallable([name, method.name], about(method.name, name), method)),
    ),
    ...operations(contract).map(({ method, path, status }) => ({
      name: [method, ...path.split(/[^A-Za-z0-9]+/).filter((part) => part !== ""), status],
      requirement: about(path),
      promise: `${method.toUpperCase()} ${path} answers ${status}`,
      asserts: [],
    })),
  ];
  const shown = all.slice(0, MOST_SKELETONS).map((skeleton) => WRITERS[language](skeleton));
  const more = all.length - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${more} more promises, in the same way`] : [])].join("\n\n");
}

function ofCallable(name: string[], requirement: string | undefined, item: Callable): Skeleton {
  const parameters = item.parameters.map(({ name: own, type }) => `${own}: ${type}`).join(", ");
  const raises = item.raises.length > 0 ? `, raises ${item.raises.join(", ")}` : "";
  const promise = `${item.name}(${parameters})${item.returns === "" ? "" : ` -> ${item.returns}`}${raises}`;
  return { name, requirement, promise, asserts: item.examples };
}

function operations({ openapi }: Contract): { method: string; path: string; status: string }[] {
  return Object.entries(openapi?.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const answers = Object(operation)?.responses;
      return typeof answers === "object" && answers !== null
        ? Object.keys(answers).map((status) => ({ method, path, status }))
        : [];
    }),
  );
}

/** The first requirement that has one of these names as a word. */
function requirementNaming(requirements: Requirement[], names: string[]): string | undefined {
  const isWord = (text: string, name: string) => {
    const at = text.indexOf(name);
    return at >= 0 && !/\w/.test(text[at - 1] ?? "") && !/\w/.test(text[at + name.length] ?? "");
  };
  const named = (name: string) =>
    requirements.find(({ text, example }) => isWord(`${text}\n${example?.input ?? ""}`, name))?.id;
  return names.map(named).find((id) => id !== undefined);
}

const heading = ({ requirement, promise }: Skeleton): string => `${requirement ?? "which requirement?"}: ${promise}`;

const snake = (words: string[]): string =>
  words.map((word) => word.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase()).join("_");

const WRITERS: Record<LanguageName, (skeleton: Skeleton) => string> = {
  python: (skeleton) => {
    const lines = skeleton.asserts.map(({ call, returns, raises }) =>
      raises === undefined ? `    assert ${call} == ${returns}` : `    with pytest.raises(${raises}):\n        ${call}`,
    );
    return [`def test_${snake(skeleton.name)}():  # ${heading(skeleton)}`, ...lines, "    ..."].join("\n");
  },
  javascript: script,
  typescript: script,
  go: (skeleton) => {
    const name = skeleton.name.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
    const lines = skeleton.asserts.map(({ call, returns, raises }) => `\t// ${call}: ${returns ?? `error ${raises}`}`);
    return [`func Test${name}(t *testing.T) { // ${heading(skeleton)}`, ...lines, "\t// …", "}"].join("\n");
  },
};

function script(skeleton: Skeleton): string {
  const lines = skeleton.asserts.map(({ call, returns, raises }) =>
    raises === undefined
      ? `  assert.deepEqual(${call}, ${returns});`
      : `  assert.throws(() => ${call}, ${/^[A-Za-z_$][\w$.]*$/.test(raises) ? raises : JSON.stringify(raises)});`,
  );
  return [`test("${skeleton.name.join(" ")}", () => { // ${heading(skeleton)}`, ...lines, "  // …", "});"].join("\n");
}
