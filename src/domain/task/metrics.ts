/** What the counts of tasks say, by whatever they are grouped. Shares are from 0 to 1, null where nothing was counted. */

/** Tasks of one group, as the database sums them up. */
export interface TaskSums {
  tasks: number;
  proven: number;
  checked: number;
  notProven: number;
  /** Of those that succeeded. */
  iterations: number;
  /** What was used, as far as it is known. */
  costMicros: number;
  tokens: number;
  /** At most this was used by calls of which nobody knows: interrupted, or under way. */
  unsettledMicros: number;
  unsettledTokens: number;
  /** From start to verdict, of those that have one. */
  settledMs: number;
  forks: number;
}

export interface TallySum {
  metric: string;
  label: string;
  times: number;
  total: number;
}

export interface UsageSums {
  calls: number;
  attempts: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  costMicros: number;
  /** Calls of models without a price: the cost leaves them out. */
  unpriced: number;
  durationMs: number;
  tasks: number;
}

export interface Metrics {
  tasks: number;
  settled: number;
  proven: number;
  checked: number;
  notProven: number;
  forks: number;
  /** Proven or checked, of those that came to a verdict. */
  successRate: number | null;
  iterationsToSuccess: number | null;
  iterationMs: number | null;
  taskMs: number | null;
  tokensPerTask: number | null;
  costPerTaskMicros: number | null;
  tokens: number;
  costMicros: number;
  /** At most this more was used by calls of which nobody knows: interrupted, or under way. */
  unsettledTokens: number;
  unsettledMicros: number;
  /** Tests that passed in the gate, and runs of it that were green at once. */
  testPassRate: number | null;
  greenRuns: number | null;
  /** Tests of the proof that changed their outcome from run to run. */
  flakyTests: number;
  flakiness: number | null;
  /** Mutants of the changed lines that tests noticed. */
  mutationScore: number | null;
  /** Of the changed lines that do something, those that a test runs; the mean of the tasks it was measured in. */
  coverage: number | null;
  /** What was not executed, by who said no. */
  refused: Record<string, number>;
  safetyViolations: number;
  /** Results without a new finding that blocks, of those that were scanned. What was refused on the way does not count. */
  sastScore: number | null;
  /** Failures of iterations by their kind, and of whole tasks by their code. */
  errors: Record<string, number>;
  failures: Record<string, number>;
  /** Recalls that found something. */
  memoryHitRate: number | null;
  recalls: number;
  humanInterventions: number;
  todos: number;
}

/** The scopes whose runs judge a change; the others happen on the way. */
const VERDICTS = new Set(["gate", "suite", "held-out", "accept"]);

export function toMetrics(sums: TaskSums, tallies: TallySum[]): Metrics {
  const named = (metric: string, of: (label: string) => boolean = () => true) =>
    tallies.filter((tally) => tally.metric === metric && of(tally.label));
  const total = (metric: string, of?: (label: string) => boolean) =>
    named(metric, of).reduce((sum, tally) => sum + tally.total, 0);
  const times = (metric: string, of?: (label: string) => boolean) =>
    named(metric, of).reduce((sum, tally) => sum + tally.times, 0);
  const byLabel = (metric: string) =>
    Object.fromEntries(named(metric).map(({ label, times }): [string, number] => [label, times]));
  const judged = (label: string) => VERDICTS.has(label);
  const { tasks, proven, checked, notProven } = sums;
  const settled = proven + checked + notProven;
  const succeeded = proven + checked;
  const passed = total("tests-passed", judged);
  const killed = total("mutants-killed");
  return {
    tasks,
    settled,
    proven,
    checked,
    notProven,
    forks: sums.forks,
    successRate: share(succeeded, settled),
    iterationsToSuccess: share(sums.iterations, succeeded),
    iterationMs: share(total("iteration"), times("iteration")),
    taskMs: share(sums.settledMs, settled),
    tokensPerTask: share(sums.tokens, tasks),
    costPerTaskMicros: share(sums.costMicros, tasks),
    tokens: sums.tokens,
    costMicros: sums.costMicros,
    unsettledTokens: sums.unsettledTokens,
    unsettledMicros: sums.unsettledMicros,
    testPassRate: share(passed, passed + total("tests-red", judged)),
    greenRuns: share(total("runs-green", judged), times("runs-green", judged)),
    flakyTests: total("flaky-tests"),
    flakiness: share(total("flaky-tests"), total("proof-tests")),
    mutationScore: share(killed, killed + total("mutants-survived")),
    coverage: share(total("coverage"), times("coverage")),
    refused: byLabel("refused"),
    safetyViolations: times("refused"),
    sastScore: share(total("result-clean"), times("result-clean")),
    errors: byLabel("error"),
    failures: byLabel("not-proven"),
    memoryHitRate: share(total("recall"), times("recall")),
    recalls: times("recall"),
    humanInterventions: times("intervention"),
    todos: times("todo"),
  };
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
