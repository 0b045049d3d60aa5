/** A language that Miracle knows by name only: it cannot run and read its tests, so it proves nothing of it. */
interface UnprovenLanguage {
  name: string;
  /** The command that most projects of it are tested with. */
  test: string;
}

const BY_MANIFEST: Record<string, UnprovenLanguage> = {
  "Cargo.toml": { name: "Rust", test: "cargo test" },
  "pom.xml": { name: "Java", test: "mvn test" },
  "build.gradle": { name: "Java", test: "gradle test" },
  "build.gradle.kts": { name: "Kotlin", test: "gradle test" },
  "build.sbt": { name: "Scala", test: "sbt test" },
  Gemfile: { name: "Ruby", test: "bundle exec rake test" },
  "composer.json": { name: "PHP", test: "composer test" },
  "mix.exs": { name: "Elixir", test: "mix test" },
  "Package.swift": { name: "Swift", test: "swift test" },
  "pubspec.yaml": { name: "Dart", test: "dart test" },
  "CMakeLists.txt": { name: "C or C++", test: "ctest" },
};

const BY_EXTENSION: Record<string, UnprovenLanguage> = {
  rs: { name: "Rust", test: "cargo test" },
  java: { name: "Java", test: "mvn test" },
  kt: { name: "Kotlin", test: "gradle test" },
  scala: { name: "Scala", test: "sbt test" },
  cs: { name: "C#", test: "dotnet test" },
  rb: { name: "Ruby", test: "bundle exec rake test" },
  php: { name: "PHP", test: "composer test" },
  ex: { name: "Elixir", test: "mix test" },
  swift: { name: "Swift", test: "swift test" },
  dart: { name: "Dart", test: "dart test" },
  c: { name: "C", test: "make check" },
  cc: { name: "C++", test: "ctest" },
  cpp: { name: "C++", test: "ctest" },
};

/** Signs at the top of a project that it is in one of our languages, too. */
const OURS =
  /\.(py|[cm]?[jt]sx?|go)$|^(package\.json|pyproject\.toml|setup\.(py|cfg)|requirements.*\.txt|go\.mod|tox\.ini)$/;
const OURS_IN_WORDS = /\b(python|javascript|typescript|node(\.js)?|golang|go)\b/i;

/**
 * The language of a project that nothing can be proven in, by the names at its top; null when there is any sign of a
 * language of ours, or the goal asks for one.
 */
export function unprovenProject(names: string[], goal: string): (UnprovenLanguage & { sign: string }) | null {
  if (names.some((name) => OURS.test(name)) || OURS_IN_WORDS.test(goal)) return null;
  const sign = names.find((name) => Object.hasOwn(BY_MANIFEST, name));
  const found = sign === undefined ? undefined : BY_MANIFEST[sign];
  return sign === undefined || found === undefined ? null : { ...found, sign };
}

/** The language of changed files, when none of them is in a language of ours. */
export function unprovenLanguageOf(paths: string[]): UnprovenLanguage | null {
  if (paths.some((path) => OURS.test(path.split("/").at(-1) ?? ""))) return null;
  const found = paths.flatMap((path) => BY_EXTENSION[path.split(".").at(-1) ?? ""] ?? []);
  return found[0] ?? null;
}
