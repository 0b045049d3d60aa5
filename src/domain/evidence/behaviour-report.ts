import { z } from "zod";

/** A call of which the old and the new function make different things. */
export const BehaviourDifference = z.object({
  /** `discount(50)`. */
  call: z.string(),
  before: z.string(),
  after: z.string(),
  /** The arguments are those of a test, or a variation of them. */
  from: z.enum(["tests", "varied"]),
  /** Tests that made this call, or the call that was varied. */
  tests: z.array(z.string()),
});
export type BehaviourDifference = z.infer<typeof BehaviourDifference>;

/** What the old and the new version of one function do with the same arguments, or of one name what it stands for. */
export const FunctionBehaviour = z.lazy(() =>
  z.object({
    path: z.string(),
    name: z.string(),
    /** `value`: what a statement of a module leaves under this name once the module is loaded; nobody calls it. */
    kind: z.enum(["function", "value"]).default("function"),
    /** Calls in tests: all, those that differ, and those whose arguments could not be carried over. */
    calls: z.object({ made: z.int(), distinct: z.int(), lost: z.int() }),
    /** Calls that were made again: with the tests' own arguments, and with variations of them. */
    recorded: z.int(),
    varied: z.int(),
    /** Calls whose outcomes in the two trees were compared. None for a new function. */
    compared: z.int(),
    /** Calls that do not do the same twice, or not what they did in the test. */
    unstable: z.int(),
    /** Calls of which too little can be seen, or whose objects are made differently in the two trees. */
    unseen: z.int(),
    /** How many differ, by where the arguments come from. */
    differing: z.object({ tests: z.int(), varied: z.int() }),
    /** The first of them. */
    differences: z.array(BehaviourDifference),
    /** Arguments with which the difference comes and goes: every variation of them alone made it vanish. */
    narrow: z.array(z.string()),
    /** How many different outcomes the new function has, and how many variations raise. */
    outcomes: z.object({ recorded: z.int(), varied: z.int(), variedRaise: z.int() }),
    /** Mutants of its lines, by id: whether some call has another outcome with them. Those not tried are in neither. */
    noticed: z.array(z.string()),
    unnoticed: z.array(z.string()),
    /** Why it could not be compared, or not well; null: it was. */
    problem: z.string().nullable(),
  }),
);
export type FunctionBehaviour = z.infer<typeof FunctionBehaviour>;

/** Old and new behaviour of the changed functions, on arguments from tests and variations of them. */
export const BehaviourReport = z.lazy(() =>
  z.object({
    functions: z.array(FunctionBehaviour),
    /** All mutants, also those outside of the functions. */
    noticed: z.array(z.string()),
    unnoticed: z.array(z.string()),
    untried: z.array(z.string()),
    problem: z.string().nullable(),
    durationMs: z.number(),
  }),
);
export type BehaviourReport = z.infer<typeof BehaviourReport>;
