import { type Condition, ERRNO, POLICY, type Rule } from "../seccomp/policy.ts";

interface ProfileArgument {
  index: number;
  op: "SCMP_CMP_MASKED_EQ";
  /** The mask. */
  value: number;
  /** The required value under the mask. */
  valueTwo: number;
}

export interface ProfileRule {
  names: string[];
  action: "SCMP_ACT_ERRNO";
  errnoRet: number;
  args: ProfileArgument[];
}

const LOW_HALF = 0xffff_ffff;
const TOP_BIT = 0x8000_0000;
/** More address families and protocols than the kernel has. */
const SMALL_NUMBERS = 64;

/** The policy in the form of a container engine. The engine itself refuses calls of other architectures. */
export function seccompProfile(policy: readonly Rule[] = POLICY): { defaultAction: string; syscalls: ProfileRule[] } {
  return { defaultAction: "SCMP_ACT_ALLOW", syscalls: policy.flatMap(toProfile) };
}

/** A profile has no "one of" and checks each argument once, so every combination becomes its own rule. */
function toProfile({ refuse, with: refusal, when }: Rule): ProfileRule[] {
  const combinations = (when ?? []).reduce<ProfileArgument[][]>(
    (before, condition) => before.flatMap((args) => choices(condition).map((choice) => [...args, choice])),
    [[]],
  );
  return combinations.map((args) => ({
    names: [...refuse],
    action: "SCMP_ACT_ERRNO",
    errnoRet: ERRNO[refusal],
    args,
  }));
}

/** The ways in which a condition can hold. */
function choices(condition: Condition): ProfileArgument[] {
  const under = (mask: number, value: number): ProfileArgument => ({
    index: condition.argument,
    op: "SCMP_CMP_MASKED_EQ",
    value: mask,
    valueTwo: value,
  });
  if ("hasAnyOf" in condition) return bitsOf(condition.hasAnyOf).map((bit) => under(bit, bit));
  if ("is" in condition) return condition.is.map((value) => under(condition.mask ?? LOW_HALF, value));
  if (condition.isNot.includes(LOW_HALF)) return otherFlags(condition.isNot).map(([mask, value]) => under(mask, value));
  const others = Array.from({ length: SMALL_NUMBERS }, (_, value) => value);
  return others.filter((value) => !condition.isNot.includes(value)).map((value) => under(LOW_HALF, value));
}

/** Masks and values for every set of flags that is not among these. One of these has all bits. */
function otherFlags(allowed: readonly number[]): [number, number][] {
  const known = allowed.filter((value) => value !== LOW_HALF).reduce((all, value) => all | value, 0);
  const below = bitsOf(LOW_HALF).filter((bit) => bit !== TOP_BIT);
  const unknown = below.filter((bit) => (known & bit) === 0).map((bit): [number, number] => [TOP_BIT + bit, bit]);
  const notAll = below.map((bit): [number, number] => [TOP_BIT + bit, TOP_BIT]);
  return [...unknown, ...notAll];
}

function bitsOf(mask: number): number[] {
  return Array.from({ length: 32 }, (_, index) => 2 ** index).filter((bit) => (mask & bit) !== 0);
}
