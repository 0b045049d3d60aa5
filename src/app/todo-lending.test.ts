import { expect, test } from "vitest";
import { JournalBuilder } from "../../test/journal-builder.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { type LentLoan, Loans } from "../journal/loans.ts";
import { type LendingTimes, TodoLending } from "./todo-lending.ts";

const NEVER = 1_000_000;

/** An owner with so many helpers; `entered` has the strands in the queue. */
async function open(times: Partial<LendingTimes> = {}, helpers = 1) {
  const builder = new JournalBuilder(temporaryDirectory());
  const store = await builder.store();
  const { claim, task } = await builder.create(store);
  if (!claim) throw new Error("a new task is claimed");
  const loans = new Loans(store);
  const entered: string[] = [];
  const notices: string[] = [];
  const lending = new TodoLending({
    store,
    claim,
    helpers: { count: async () => helpers, enter: async (strand) => void entered.push(strand) },
    receive: async () => {},
    onNotice: (text) => notices.push(text),
    times: { lookMs: 1, patienceMs: NEVER, silenceMs: NEVER, ...times },
  });
  let isCalled = false;
  const signal = new AbortController().signal;
  const begin = (id: string, places = 2) => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const offered = {
      id,
      strand: `todo:${id}`,
      language: "python" as const,
      places,
      beginning: () => `begin ${id}`,
      isCalled: () => isCalled,
    };
    const ended = lending.around(offered, signal, async () => {
      begun.resolve();
      await end.promise;
      return id;
    });
    return { begun: begun.promise, end: end.resolve, ended };
  };
  const takeUp = async (id: string): Promise<LentLoan> => {
    await expect.poll(() => entered).toContain(`todo:${id}`);
    const lent = await loans.takeUp(task, `todo:${id}`);
    if (!lent) throw new Error("nothing is offered");
    return lent;
  };
  const call = () => {
    isCalled = true;
  };
  return { begin, takeUp, call, loans, entered, notices };
}

test("without helpers everything is worked on here, as far as there are places", async () => {
  const { begin, entered } = await open({ patienceMs: 0 }, 0);
  const todos = ["a", "b", "c"].map((id) => begin(id, 2));
  await todos[0]?.begun;
  await todos[1]?.begun;
  await expect.poll(() => entered).toEqual(["todo:c"]);
  for (const { end } of todos) end();
  expect(await Promise.all(todos.map(({ ended }) => ended))).toEqual(["a", "b", "c"]);
});

test("what is beyond this worker's part is lent, and passes here when its guest has ended", async () => {
  const { begin, takeUp, loans } = await open();
  const [own, other] = [begin("own"), begin("other")];
  await own.begun;
  const lent = await takeUp("other");
  expect(lent.beginning).toBe("begin other");
  own.end();
  await own.ended;
  await loans.end(lent);
  await other.begun;
  other.end();
  expect(await other.ended).toBe("other");
});

test("an offer that nobody has taken up comes back when there is room here", async () => {
  const { begin, loans, entered } = await open();
  const [own, other] = [begin("own"), begin("other")];
  await expect.poll(() => entered).toEqual(["todo:other"]);
  own.end();
  await other.begun;
  expect(await loans.takeUp("t00000001", "todo:other"), "it is offered no more").toBeNull();
  other.end();
  await Promise.all([own.ended, other.ended]);
});

test("a guest that is not heard of any more has lost its todo, and it is said", async () => {
  const { begin, takeUp, loans, notices } = await open({ silenceMs: 20 });
  const [own, other] = [begin("own"), begin("other")];
  const lent = await takeUp("other");
  await other.begun;
  expect(await loans.beat(lent)).toBeNull();
  expect(notices).toEqual([expect.stringContaining("todo other: the worker it was lent to is not heard of any more")]);
  for (const { end } of [own, other]) end();
  await Promise.all([own.ended, other.ended]);
});

test("when the plan is about to change, a guest is told, and what nobody took up comes back", async () => {
  const { begin, takeUp, call, loans } = await open({}, 2);
  const [own, lentOne, offered] = [begin("own"), begin("lent"), begin("offered")];
  const lent = await takeUp("lent");
  call();
  await offered.begun;
  await expect.poll(() => loans.beat(lent)).toEqual({ isCalled: true });
  await loans.end(lent);
  for (const { end } of [own, lentOne, offered]) end();
  await Promise.all([own, lentOne, offered].map(({ ended }) => ended));
});
