import { type Condition, ERRNO, POLICY, type Refusal, type Rule } from "../../src/sandbox/seccomp/policy.ts";
import { type Architecture, NEWEST_KNOWN, syscallNumber } from "../../src/sandbox/seccomp/syscall-numbers.ts";
import { BpfProgram, Label } from "./bpf-program.ts";

/** What a filter answers, as the kernel numbers it. */
export const ANSWER = { allow: 0x7fff_0000, errno: 0x0005_0000, killProcess: 0x8000_0000 } as const;

/** How the kernel names an architecture to a filter. */
export const AUDIT_ARCHITECTURE: Record<Architecture, number> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** Where the kernel puts what a filter looks at. Both architectures are little-endian: the low half comes first. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const argumentAt = (index: number) => 16 + 8 * index;

/** From here on x86-64 means the x32 calls, which are others under the same numbers. */
const X32 = 0x4000_0000;

/** The filter of one architecture: the same bytes for the same policy. */
export function compilePolicy(architecture: Architecture, policy: readonly Rule[] = POLICY): Buffer {
  const program = new BpfProgram();
  refuseOtherInterfaces(program, architecture);
  refuseOutright(program, architecture, policy);
  for (const rule of policy) {
    for (const name of rule.when ? rule.refuse : []) {
      const number = syscallNumber(name, architecture);
      if (number !== null) refuseWhen(program, number, rule.when ?? [], rule.with);
    }
  }
  program.answer(ANSWER.allow);
  return program.bytes();
}

/** A process may call the kernel as a 32-bit program would: other numbers, other arguments, so nothing below would hold. */
function refuseOtherInterfaces(program: BpfProgram, architecture: Architecture): void {
  const known = new Label();
  program.load(ARCHITECTURE_AT);
  program.jump("jumpIfEqual", AUDIT_ARCHITECTURE[architecture], { yes: known });
  program.answer(ANSWER.killProcess);
  program.place(known);
  program.load(NUMBER_AT);
  if (architecture === "x64") {
    const native = new Label();
    program.jump("jumpIfAtLeast", X32, { no: native });
    program.answer(ANSWER.killProcess);
    program.place(native);
  }
  const old = new Label();
  program.jump("jumpIfGreater", NEWEST_KNOWN, { no: old });
  program.answer(ANSWER.errno | ERRNO.ENOSYS);
  program.place(old);
}

/** Calls that are refused whatever their arguments: one list, and one answer at its end, for each refusal. */
function refuseOutright(program: BpfProgram, architecture: Architecture, policy: readonly Rule[]): void {
  const refused = new Map<Refusal, number[]>();
  for (const rule of policy) {
    if (rule.when) continue;
    const numbers = rule.refuse.flatMap((name) => syscallNumber(name, architecture) ?? []);
    refused.set(rule.with, [...(refused.get(rule.with) ?? []), ...numbers]);
  }
  for (const [refusal, numbers] of refused) {
    const found = new Label();
    const none = new Label();
    const sorted = numbers.sort((a, b) => a - b);
    for (const [index, number] of sorted.entries()) {
      program.jump("jumpIfEqual", number, { yes: found, ...(index === sorted.length - 1 && { no: none }) });
    }
    program.place(found);
    program.answer(ANSWER.errno | ERRNO[refusal]);
    program.place(none);
  }
}

function refuseWhen(program: BpfProgram, number: number, conditions: readonly Condition[], refusal: Refusal): void {
  const otherwise = new Label();
  const next = new Label();
  program.jump("jumpIfEqual", number, { no: next });
  for (const condition of conditions) check(program, condition, otherwise);
  program.answer(ANSWER.errno | ERRNO[refusal]);
  program.place(otherwise);
  program.load(NUMBER_AT);
  program.place(next);
}

/** Goes on when the condition holds, and to `otherwise` when it does not. */
function check(program: BpfProgram, condition: Condition, otherwise: Label): void {
  program.load(argumentAt(condition.argument));
  if ("hasAnyOf" in condition) {
    program.jump("jumpIfAnyBit", condition.hasAnyOf, { no: otherwise });
  } else if ("isNot" in condition) {
    for (const value of condition.isNot) program.jump("jumpIfEqual", value, { yes: otherwise });
  } else {
    const holds = new Label();
    if (condition.mask !== undefined) program.and(condition.mask);
    for (const [index, value] of condition.is.entries()) {
      const last = index === condition.is.length - 1;
      program.jump("jumpIfEqual", value, { yes: holds, ...(last && { no: otherwise }) });
    }
    program.place(holds);
  }
}
