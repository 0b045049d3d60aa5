import type { Script, ServedRequest } from "../../../test/model-server.ts";
import { call, extraRoleOf, roleOf } from "../../../test/scripted-goal.ts";
import type { Exercise, SourceText } from "./read-exercise.ts";
import type { SplitTests, TestGroup } from "./split-tests.ts";

type Call = ReturnType<typeof call>;

/** What the person asks for: the track's own text, and what its tests are called. */
export function goalOf(exercise: Exercise, split: SplitTests): string {
  const files = exercise.solution.map(({ path }) => path).join(", ");
  const wishes = split.groups.map((group) => `- ${wishOf(group)}`);
  return [`Solve the exercise "${exercise.name}" in ${files}.`, exercise.description, "It does this:", ...wishes].join(
    "\n\n",
  );
}

/**
 * Roles that do what honest people with the track's files would do: the planner repeats the goal, the tester gives the
 * track's tests, the coder its solution. Nobody thinks: who is sent back says the same again.
 */
export function exerciseRoles(
  exercise: Exercise,
  split: SplitTests,
  solution: SourceText[] = exercise.solution,
): Script {
  const turns = new Map<string, number>();
  const coder: Call[] = solution.map(({ path, content }) => call("create_file", { path, content, overwrite: true }));
  coder.push(call("run_tests", {}));
  const answers: Record<string, (turn: number, request: ServedRequest) => Call> = {
    planner: () => call("finish", planOf(exercise, split)),
    tester: (_, request) => call("finish", { files: testsFor(request, split) }),
    coder: (turn) => coder[turn] ?? call("finish", { summary: "solved" }),
    reflector: () => call("finish", { cause: "unknown", hypothesis: "the code is what it is", next: "code" }),
    judge: () =>
      call("finish", {
        entailed: true,
        quote: wishOf(split.groups[0]),
        reason: "it is asked for",
        behaviour: "do it for every input",
      }),
    debugger: () => call("finish", { cause: "implementation_bug", finding: "unknown", instructions: "go on" }),
    reprompter: () => call("finish", { goal: goalOf(exercise, split) }),
    reviewer: () => call("finish", { findings: [] }),
    auditor: () => call("finish", { findings: [] }),
  };
  return (request) => {
    const role = extraRoleOf(request) ?? roleOf(request);
    const turn = turns.get(role) ?? 0;
    turns.set(role, turn + 1);
    const answer = answers[role];
    if (!answer) throw new Error(`nobody plays the ${role}`);
    return { toolCalls: [answer(turn, request)] };
  };
}

function planOf(exercise: Exercise, { groups }: SplitTests) {
  const files = exercise.solution.map(({ path }) => path).join(", ");
  return {
    size: "small",
    title: `solve ${exercise.name}`,
    kind: exercise.isSolved ? "refactoring" : "feature",
    language: exercise.language,
    requirements: groups.map((group, index) => ({
      id: `R${index + 1}`,
      text: `${files}: ${wishOf(group)}`,
      quote: wishOf(group),
    })),
    todos: [{ id: "solve", title: `write ${files}`, requirements: groups.map((_, index) => `R${index + 1}`) }],
    relevantFiles: exercise.base
      .map(({ path }) => path)
      .filter((path) => exercise.solution.some((one) => one.path === path)),
  };
}

/** Visible and held-out tests at first; then only what is asked for, from the reserve where there is one. */
function testsFor(request: ServedRequest, split: SplitTests) {
  const asked = request.messages[0]?.text ?? "";
  if (!/Write only held-out tests|Write sharper tests/.test(asked)) {
    return [fileOf(split.seen, split, "seen", false), fileOf(split.heldOut, split, "heldOut", true)];
  }
  const wanted = new Set([...asked.matchAll(/^(R\d+): /gm)].map(([, id = ""]) => id));
  const again = { ...split.heldOut, path: split.heldOut.path.replace("unseen", "again") };
  const files = [
    ...(split.spare ? [fileOf(split.spare, split, "spare", true)] : []),
    fileOf(again, split, "heldOut", true),
  ];
  const own = files.map((file) => ({
    ...file,
    covers: file.covers.filter(({ requirement }) => wanted.has(requirement)),
  }));
  return own.filter(({ covers }) => covers.length > 0).slice(0, 1);
}

function fileOf(file: SourceText, { groups }: SplitTests, kind: "seen" | "heldOut" | "spare", heldOut: boolean) {
  const covers = groups.flatMap((group, index) => group[kind].map((test) => ({ test, requirement: `R${index + 1}` })));
  return { ...file, todo: "solve", covers, ...(heldOut && { heldOut }) };
}

/** A group in words: its title, and every case in it, seen or not. */
function wishOf(group: TestGroup | undefined): string {
  if (!group) return "";
  const cases = [...group.seen, ...group.heldOut, ...group.spare].map((name) =>
    name.replace(/^test_?/, "").replaceAll("_", " "),
  );
  return `${group.title.replace(/\s+/g, " ")}: ${[...new Set(cases)].join("; ")}`;
}
