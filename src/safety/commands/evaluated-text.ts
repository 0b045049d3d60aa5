import { forEachChild, type SyntaxNode } from "unbash";
import type { Judging, Setting } from "./judging/judging.ts";
import { expandUnsplit } from "./shell/expand-word.ts";
import { type Field, textField } from "./shell/field.ts";

/**
 * Arithmetic and the names of variables are read a second time by the shell: in `a[$(…)]` the substitution runs though
 * it was quoted. Such text is refused wherever a variable gets it and wherever a builtin takes it for a name.
 */
const SUBSCRIPT = /\w\s*\[[^\]]*(?:\$\(|`|\$\{[^}]*@P)/s;

/** Builtins that take words for names or numbers. */
const EVALUATING = new Set(
  "let declare typeset local readonly export printf read mapfile readarray unset getopts wait test [".split(" "),
);

const NUMERIC = /^-(eq|ne|lt|le|gt|ge|v|R)$/;

export function judgeEvaluated(field: Field, judging: Judging): void {
  let text = "";
  for (const piece of field.pieces) if (piece.kind === "text" || piece.kind === "glob") text += piece.text;
  if (SUBSCRIPT.test(text)) judging.refuse("run.unresolved", field);
}

export function judgeEvaluatingCall(name: string, words: Field[], { input }: Setting, judging: Judging): void {
  if (!EVALUATING.has(name)) return;
  // Only the name behind -v is evaluated; what printf prints is not.
  const fields = name === "printf" ? words.slice(0, 2) : words;
  for (const field of fields) judgeEvaluated(field, judging);
  if (input.kind === "text" && /^(read|mapfile|readarray)$/.test(name)) judgeEvaluated(input.field, judging);
}

/** `[[ -v x ]]`, `[[ $x -eq 0 ]]`. */
export function judgeTest(node: SyntaxNode, setting: Setting, judging: Judging): void {
  if ((node.type === "TestUnary" || node.type === "TestBinary") && NUMERIC.test(node.operator)) {
    forEachChild(node, (child) => {
      if (child.type !== "Word") return;
      for (const field of expandUnsplit(child, setting.around)) judgeEvaluated(field, judging);
    });
  }
  forEachChild(node, (child) => judgeTest(child, setting, judging));
}

/** `${x@P}` expands what x holds as a prompt: its substitutions run. */
export function judgePrompt(node: SyntaxNode, setting: Setting, judging: Judging): void {
  if (node.type !== "ParameterExpansion" || node.operation?.type !== "Transform") return;
  if (node.operation.operand.value !== "P") return;
  const { from, to } = setting.around.within ?? { from: node.pos, to: node.end };
  judging.refuse("run.unresolved", textField(node.text, from, to));
}
