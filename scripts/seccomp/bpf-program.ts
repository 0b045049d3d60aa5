/** The part of classic BPF that a filter needs, as the kernel numbers it. */
export const BPF = {
  loadWord: 0x20,
  and: 0x54,
  jumpIfEqual: 0x15,
  jumpIfGreater: 0x25,
  jumpIfAtLeast: 0x35,
  jumpIfAnyBit: 0x45,
  answer: 0x06,
} as const;

/** A place in a program that is known once everything before it is written. */
export class Label {
  at: number | undefined;
}

interface Instruction {
  code: number;
  operand: number;
  /** Where a jump leads; undefined is the next instruction. */
  yes?: Label | undefined;
  no?: Label | undefined;
}

const INSTRUCTION_BYTES = 8;
const LONGEST_JUMP = 255;

/** Instructions in the order they run, with jumps to labels; `bytes` is what the kernel reads. */
export class BpfProgram {
  readonly #instructions: Instruction[] = [];

  load(offset: number): void {
    this.#instructions.push({ code: BPF.loadWord, operand: offset });
  }

  and(mask: number): void {
    this.#instructions.push({ code: BPF.and, operand: mask });
  }

  answer(value: number): void {
    this.#instructions.push({ code: BPF.answer, operand: value });
  }

  jump(
    test: "jumpIfEqual" | "jumpIfGreater" | "jumpIfAtLeast" | "jumpIfAnyBit",
    operand: number,
    to: { yes?: Label; no?: Label },
  ): void {
    this.#instructions.push({ code: BPF[test], operand, ...to });
  }

  place(label: Label): void {
    label.at = this.#instructions.length;
  }

  bytes(): Buffer {
    const bytes = Buffer.alloc(this.#instructions.length * INSTRUCTION_BYTES);
    for (const [index, { code, operand, yes, no }] of this.#instructions.entries()) {
      const at = index * INSTRUCTION_BYTES;
      bytes.writeUInt16LE(code, at);
      bytes.writeUInt8(distance(index, yes), at + 2);
      bytes.writeUInt8(distance(index, no), at + 3);
      bytes.writeUInt32LE(operand, at + 4);
    }
    return bytes;
  }
}

function distance(from: number, label: Label | undefined): number {
  if (label === undefined) return 0;
  if (label.at === undefined) throw new Error("a jump leads to a label that was never placed");
  const far = label.at - from - 1;
  if (far < 0 || far > LONGEST_JUMP) throw new Error(`a jump over ${far} instructions cannot be written`);
  return far;
}
