/**
 * What a test file takes from the project and says about it, read from its syntax tree: the ground for two questions.
 * Does it ask for something that nobody said (`unfounded`)? What must be there before it can be run (`stubs`)?
 */
export interface TestUses {
  imports: ImportUse[];
  /** Paths of programs that the tests start: `wc.py`. */
  programs: string[];
  /** Called as a function or method anywhere: `pop` of `stack.pop()`. */
  called: Set<string>;
  /** Called behind `await`. */
  awaited: Set<string>;
  /** Names used as error types: in `pytest.raises`, `except`, `assert.throws`, `instanceof`. */
  errors: Set<string>;
  tests: TestUse[];
}

export interface ImportUse {
  /** As written: `calc`, `shop.cart`, `../src/numbers.js`. */
  module: string;
  /** Names taken from it, with what is done to them through the module itself: `calc.add`. */
  names: string[];
  /** Taken as the default or as a whole by `require`. */
  whole: boolean;
}

/** One test and what it names of the code under test. */
export interface TestUse {
  name: string;
  from: number;
  to: number;
  /** Names, attributes, keyword arguments, flags, routes and messages, each with what it is. */
  words: { kind: WordKind; word: string }[];
  /** Every number and string it writes: none of them may reach the coder unless a source has it. */
  literals: string[];
  skips: boolean;
}

type WordKind = "name" | "attribute" | "argument" | "flag" | "route" | "error" | "message";
