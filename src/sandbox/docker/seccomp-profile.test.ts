import fc from "fast-check";
import { expect, test } from "vitest";
import { ANSWER, AUDIT_ARCHITECTURE, compilePolicy } from "../../../scripts/seccomp/compile-policy.ts";
import { runFilter } from "../../../test/bpf-machine.ts";
import { POLICY } from "../seccomp/policy.ts";
import { syscallNumber } from "../seccomp/syscall-numbers.ts";
import { seccompProfile } from "./seccomp-profile.ts";

const { syscalls } = seccompProfile();

/** What an engine makes of the profile: the first rule whose arguments all match. */
function refusal(name: string, args: bigint[]): number | null {
  const rule = syscalls.find(
    ({ names, args: wanted }) =>
      names.includes(name) &&
      wanted.every(({ index, value, valueTwo }) => ((args[index] ?? 0n) & BigInt(value)) === BigInt(valueTwo)),
  );
  return rule?.errnoRet ?? null;
}

test("it refuses what the filter of bubblewrap refuses, with the same error", () => {
  const filter = compilePolicy("x64");
  const names = [...new Set(POLICY.flatMap(({ refuse }) => refuse))];
  const telling = POLICY.flatMap(({ when }) => when ?? []).flatMap((condition) =>
    "hasAnyOf" in condition ? [condition.hasAnyOf] : "is" in condition ? condition.is : condition.isNot,
  );
  const low = fc.oneof(
    fc.constantFrom(...telling, 17, 38, 40, 0x8040_0000, 0xffff_fffe, 0x7fff_ffff, 0x0040_0000, 0x0044_0000),
    fc.integer({ min: 0, max: 63 }),
    fc.constant(0),
  );
  const argument = fc.tuple(low, fc.constantFrom(0n, 1n << 32n)).map(([value, high]) => BigInt(value >>> 0) | high);
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.tuple(argument, argument, argument, argument), (name, args) => {
      const number = syscallNumber(name, "x64");
      fc.pre(number !== null);
      const isSocket = name === "socket" || name === "socketpair";
      // Beyond the families that exist the kernel refuses by itself.
      fc.pre(!isSocket || args.every((value) => Number(value & 0xffff_ffffn) < 64));
      const verdict = runFilter(filter, { number, architecture: AUDIT_ARCHITECTURE.x64, arguments: args });
      const expected = verdict === ANSWER.allow ? null : verdict & 0xffff;
      expect(refusal(name, args)).toBe(expected);
    }),
    { numRuns: 5000 },
  );
});
