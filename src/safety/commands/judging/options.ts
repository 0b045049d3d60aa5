import { after, type Field, leading, literal } from "../shell/field.ts";

/** Which options of a program take a value: short letters, and long names without their dashes. */
export interface OptionShape {
  short?: string;
  long?: readonly string[];
  /** Everything from the first operand on belongs to another command. */
  stops?: boolean;
}

export interface Option {
  /** `-x` or `--name`. */
  name: string;
  value: Field | undefined;
  field: Field;
}

interface Arguments {
  options: Option[];
  operands: Field[];
}

/** Reads words as getopt does: clusters, values in the same word or the next, `--`, `--name=value`. */
export function readArguments(words: Field[], { short = "", long = [], stops = false }: OptionShape = {}): Arguments {
  const options: Option[] = [];
  const operands: Field[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const field = words[index];
    if (field === undefined) break;
    const text = leading(field);
    if (text === "--" && literal(field) === "--") {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = equals === -1 ? text : text.slice(0, equals);
      const takesNext = equals === -1 && long.some((candidate) => `--${candidate}` === name);
      if (takesNext) index += 1;
      options.push({
        name,
        value: equals === -1 ? (takesNext ? words[index] : undefined) : after(field, equals + 1),
        field,
      });
    } else if (text.startsWith("-") && text.length > 1) {
      for (let at = 1; at < text.length; at += 1) {
        const letter = text[at] ?? "";
        if (!short.includes(letter)) {
          options.push({ name: `-${letter}`, value: undefined, field });
          continue;
        }
        const inWord = at + 1 < text.length || field.pieces.length > 1;
        if (!inWord) index += 1;
        options.push({ name: `-${letter}`, value: inWord ? after(field, at + 1) : words[index], field });
        break;
      }
    } else if (stops) {
      operands.push(...words.slice(index));
      break;
    } else operands.push(field);
  }
  return { options, operands };
}

/** True when one of the names was given; GNU programs take any unambiguous beginning of a long name. */
export const hasOption = ({ options }: Arguments, ...names: string[]): boolean =>
  optionOf({ options }, ...names) !== undefined;

export const optionOf = ({ options }: Pick<Arguments, "options">, ...names: string[]): Option | undefined =>
  options.find((option) => names.some((name) => isSameOption(option.name, name)));

export const isSameOption = (given: string, name: string): boolean =>
  given === name || (given.length > 3 && given.startsWith("--") && name.startsWith(given));
