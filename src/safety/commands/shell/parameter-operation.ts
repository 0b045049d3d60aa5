import type { ParameterOperation } from "unbash";
import type { Piece } from "./field.ts";

/** `${x%.c}`, `${x:1:1}`, `${x,,}` of known text is known; of a hole it is a hole of the same kind. */
export function transform(pieces: Piece[], operation: ParameterOperation, text: string): Piece {
  const computed: Piece = { kind: "computed", text };
  if (pieces.some(({ kind }) => kind !== "text")) {
    return pieces.some(({ kind }) => kind === "computed" || kind === "pipe") ? computed : { kind: "outer", text };
  }
  const value = pieces.map((piece) => piece.text).join("");
  const known = apply(value, operation);
  return known === undefined ? computed : { kind: "text", text: known };
}

function apply(value: string, operation: ParameterOperation): string | undefined {
  switch (operation.type) {
    case "Slice": {
      const offset = wholeNumber(operation.offset.value);
      const length = operation.length === undefined ? value.length : wholeNumber(operation.length.value);
      return offset === undefined || length === undefined ? undefined : value.slice(offset, offset + length);
    }
    case "CaseModification":
      if (operation.operand !== undefined && operation.operand.value !== "") return undefined;
      if (operation.operator === ",,") return value.toLowerCase();
      if (operation.operator === "^^") return value.toUpperCase();
      return undefined;
    case "Remove": {
      const pattern = operation.operand;
      if (pattern.parts !== undefined || /[*?[]/.test(pattern.value)) return undefined;
      if (operation.operator.startsWith("#"))
        return value.startsWith(pattern.value) ? value.slice(pattern.value.length) : value;
      return value.endsWith(pattern.value) ? value.slice(0, value.length - pattern.value.length) : value;
    }
    case "Replace": {
      const { pattern, replacement, operator } = operation;
      if (
        pattern.parts !== undefined ||
        replacement.parts !== undefined ||
        pattern.value === "" ||
        operator.length > 1 !== (operator === "//")
      )
        return undefined;
      return operator === "//"
        ? value.replaceAll(pattern.value, replacement.value)
        : value.replace(pattern.value, () => replacement.value);
    }
    default:
      return undefined;
  }
}

const wholeNumber = (text: string): number | undefined => (/^\s*\d{1,6}\s*$/.test(text) ? Number(text) : undefined);
