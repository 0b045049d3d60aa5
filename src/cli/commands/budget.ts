import { type Command, InvalidArgumentError } from "commander";
import { fail } from "../../domain/failure.ts";
import { joinTeam, listBudgets, type MonthBudget, removeBudget, setBudget } from "../../llm/month-budgets.ts";
import type { Store } from "../../store/store.ts";
import { openApp } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { printable } from "../text/printable.ts";

const HELP = `
A budget is what may be spent on models in a calendar month (UTC), by all tasks on this database together, whichever
machine works on them. Its holder is person:NAME (the name of a token, or of a login), team:NAME, or all. Each model call
reserves its worst case first; what does not fit pauses its task, and a resume tries again. --max-cost holds beside it.

Examples:
  miracle budget
  miracle budget set person:anna 50
  miracle budget join anna shop
  miracle budget set team:shop 200`;

/** What people and teams may spend in a month. */
export function define(command: Command, { terminal }: CommandContext): void {
  const write = (text: string) => terminal.output.write(`${printable(text)}\n`);
  const withStore = async (work: (store: Store) => Promise<void>) => {
    await using opened = await openApp(terminal, terminal.directory);
    await work(opened.app.store);
  };
  const part = (usage: string, description: string) =>
    command.command(usage).helpOption("-h, --help", "show help").description(description);

  command
    .option("--json", "as JSON")
    .addHelpText("after", HELP)
    .action(({ json }: { json?: boolean }) =>
      withStore(async (store) => {
        const budgets = await listBudgets(store, Date.now());
        if (json) return void terminal.output.write(`${JSON.stringify(budgets)}\n`);
        for (const budget of budgets) write(budgetLine(budget));
        if (budgets.length === 0) write("nothing was spent in this month, and there is no budget");
      }),
    );

  part("set <holder> <dollars>", "what a person, a team or all may spend in a month").action(
    (holder: string, amount: string) =>
      withStore(async (store) => {
        await setBudget(store, holder, micros(amount), Date.now());
        const budget = (await listBudgets(store, Date.now())).find((one) => one.holder === holder);
        if (budget) write(budgetLine(budget));
      }),
  );

  part("remove <holder>", "no limit from now on").action((holder: string) =>
    withStore(async (store) => {
      if (!(await removeBudget(store, holder)))
        throw fail("invalid-input", "budget.none", `${holder} has no budget; \`miracle budget\` lists them`);
      write(`${holder} may spend without a limit`);
    }),
  );

  part("join <person> [team]", "put a person into a team; without one: into none").action(
    (person: string, team: string | undefined) =>
      withStore(async (store) => {
        await joinTeam(store, person, team ?? null);
        write(team === undefined ? `${person} is in no team` : `${person} is in team ${team}`);
      }),
  );
}

function budgetLine({ holder, limitMicros, spentMicros }: MonthBudget): string {
  const spent = `$${(spentMicros / 1e6).toFixed(2)}`;
  return `${holder}: ${spent} spent${limitMicros === null ? "" : ` of $${(limitMicros / 1e6).toFixed(2)}`} in this month`;
}

function micros(text: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError("expected dollars, such as 50 or 12.50");
  return Math.round(Number(text) * 1e6);
}
