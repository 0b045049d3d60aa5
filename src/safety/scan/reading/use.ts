import type { SyntaxNode } from "../../../syntax/parse.ts";
import type { Value, Values } from "./value.ts";

/** How something dangerous may come up in code. */
export type UseKind =
  | "call" // it is called, or made with `new`
  | "mention" // it is handed on as a value: whoever gets it may call it
  | "import"
  | "assign" // it gets a new value
  | "define" // a function or class of this name is defined
  | "assembled" // a text put together from pieces, or decoded, that reads so
  | "text" // a literal text
  | "comment";

export interface Argument {
  /** Its name where it is passed by name. */
  keyword: string | null;
  values: Values;
  /** `*arguments`: it stands for any number of them. */
  spread: boolean;
}

export const argument = (values: Values): Argument => ({ keyword: null, values, spread: false });

/** Each argument that can only be one thing; undefined where it may be several. */
export const singles = (args: readonly Argument[]): (Value | undefined)[] =>
  args.map(({ values }) => (values.length === 1 ? values[0] : undefined));

/** One place where code does something that a rule may speak of. */
export interface Use {
  how: UseKind;
  /** The resolved name, or the text itself. */
  name: string;
  hidden: boolean;
  node: SyntaxNode;
  /** Of a call. Of an assignment: what is assigned. */
  arguments: readonly Argument[];
  /** Called with `new`, used as a decorator or otherwise in a way that hides the arguments. */
  open: boolean;
}
