const MOST = 6;

/** The files that a goal names, by their path or by a name that few files have, in the order of the paths. */
export function namedIn(goal: string, paths: readonly string[]): string[] {
  const words = new Set(goal.match(/[\p{L}\p{N}_.@/-]+/gu)?.map((word) => word.replace(/^\.\/|[./-]+$/g, "")) ?? []);
  const isNamed = (path: string) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return words.has(path) || (name.includes(".") && words.has(name));
  };
  const named = paths.filter(isNamed);
  return named.length <= MOST ? named : named.filter((path) => words.has(path)).slice(0, MOST);
}

const CODE = /\.(?:py|[cm]?[jt]sx?|go)$/;
const TEST = /(?:^|\/)(?:tests?|__tests__)\/|[._-]test\.|_test\.|(?:^|\/)test_/;
const MOST_DEFINING = 2;

/** The files of code that define a function or class which the goal names: `total()`, `parseLine`, `Cart.add`. */
export function definingIn(goal: string, paths: readonly string[], read: (path: string) => string): string[] {
  const names = [...goal.matchAll(NAME)].flatMap(([name, before, after]) =>
    isCodeName(name, before ?? "", after ?? "") ? [name] : [],
  );
  if (names.length === 0) return [];
  const said = [...new Set(names)].map((name) => RegExp.escape(name)).join("|");
  const definition = new RegExp(
    `^\\s*(?:export |default |async |static )*(?:(?:def|class|function\\*?|const|let|type|interface) (?:${said})\\b|func (?:\\([^)]*\\) )?(?:${said})\\b|(?:${said})\\([^)]*\\) \\{)`,
    "m",
  );
  const found = paths.filter((path) => CODE.test(path) && !TEST.test(path) && definition.test(read(path)));
  return found.length <= MOST_DEFINING ? found : [];
}

const NAME = /(?<=(^|[^\p{L}\p{N}_$]))[\p{L}_$][\p{L}\p{N}_$]{2,}(?=(\(|`|))/gu;

/** Names of code look otherwise than words: called, in backticks, with an underscore or a capital inside. */
const isCodeName = (name: string, before: string, after: string): boolean =>
  after !== "" || before === "`" || /[\p{Ll}\p{N}][_\p{Lu}]/u.test(name);
