import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ANSWER, AUDIT_ARCHITECTURE, compilePolicy } from "../../../scripts/seccomp/compile-policy.ts";
import { runFilter } from "../../../test/bpf-machine.ts";
import { filterFile } from "./filter-file.ts";
import { ERRNO, POLICY, type Refusal } from "./policy.ts";
import {
  ARCHITECTURES,
  type Architecture,
  NEWEST_KNOWN,
  SYSCALLS,
  type Syscall,
  syscallNumber,
} from "./syscall-numbers.ts";

const HIGH = 1n << 32n;
const NAMES = Object.keys(SYSCALLS).filter((name): name is Syscall => name in SYSCALLS);
const REFUSALS = Object.keys(ERRNO).filter((name): name is Refusal => name in ERRNO);

describe.each(ARCHITECTURES)("the filter for %s", (architecture) => {
  const filter = readFileSync(filterFile(architecture));
  const verdict = (name: Syscall, ...args: (number | bigint)[]): Refusal | "allowed" | "absent" => {
    const number = syscallNumber(name, architecture);
    return number === null ? "absent" : answer(architecture, filter, number, args.map(BigInt));
  };

  test("is what the program makes of the policy, byte by byte", () => {
    expect(filter.equals(compilePolicy(architecture))).toBe(true);
  });

  test("refuses every call of the policy, or under its conditions only", () => {
    for (const rule of POLICY.filter(({ when }) => when === undefined)) {
      for (const name of rule.refuse) expect([rule.with, "absent"], name).toContain(verdict(name));
    }
    const conditional = new Set(POLICY.filter(({ when }) => when).flatMap(({ refuse }) => refuse));
    for (const name of conditional) {
      if (name !== "socket" && name !== "socketpair") expect(["allowed", "absent"], name).toContain(verdict(name));
    }
  });

  test("allows every number that the policy does not name", () => {
    const named = new Set(NAMES.map((name) => syscallNumber(name, architecture)));
    for (let number = 0; number <= NEWEST_KNOWN; number += 1) {
      if (!named.has(number)) expect(answer(architecture, filter, number), String(number)).toBe("allowed");
    }
  });

  test("knows no call that is newer than the policy", () => {
    expect(answer(architecture, filter, NEWEST_KNOWN + 1)).toBe("ENOSYS");
    expect(answer(architecture, filter, 0x3fff_ffff)).toBe("ENOSYS");
  });

  test("kills what calls the kernel as another architecture", () => {
    const i386 = 0x4000_0003;
    const arm = 0x4000_0028;
    const others = [
      i386,
      arm,
      ...ARCHITECTURES.filter((name) => name !== architecture).map((n) => AUDIT_ARCHITECTURE[n]),
    ];
    for (const other of others) expect(runFilter(filter, { number: 1, architecture: other })).toBe(ANSWER.killProcess);
  });

  test("allows processes and threads, and no namespace", () => {
    const thread = 0x003d_0f00;
    expect(verdict("clone", thread)).toBe("allowed");
    expect(verdict("clone", 0x11)).toBe("allowed");
    for (const flag of [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000]) {
      expect(verdict("clone", flag | 0x11), flag.toString(16)).toBe("EPERM");
    }
  });

  test("allows sockets of four families only", () => {
    for (const family of [1, 2, 10, 16]) expect(verdict("socket", family, 1, 0)).toBe("allowed");
    for (const family of [0, 3, 4, 17, 31, 38, 40, 44, 45])
      expect(verdict("socket", family, 1, 0)).toBe("EAFNOSUPPORT");
    expect(verdict("socketpair", 1, 1, 0)).toBe("allowed");
    expect(verdict("socketpair", 40, 1, 0)).toBe("EAFNOSUPPORT");
    expect(verdict("socket", 2, 3 | 0o2000000, 1)).toBe("EPERM");
    expect(verdict("socket", 10, 10, 0)).toBe("EPERM");
    expect(verdict("socket", 16, 3, 9)).toBe("EPROTONOSUPPORT");
  });

  test("is not fooled by bits that the kernel does not read", () => {
    expect(verdict("ioctl", 0, 0x5412)).toBe("EPERM");
    expect(verdict("ioctl", 0, HIGH | 0x5412n)).toBe("EPERM");
    expect(verdict("socket", HIGH | 40n, 1, 0)).toBe("EAFNOSUPPORT");
    expect(verdict("clone", HIGH | 0x1000_0000n)).toBe("EPERM");
    expect(verdict("ioctl", 0, 0x5413)).toBe("allowed");
  });

  test("lets no file be made that gives rights away, and no device", () => {
    for (const bit of [0o4755, 0o2755, 0o6755]) {
      expect(verdict("fchmod", 3, bit)).toBe("EPERM");
      expect(verdict("fchmodat", 3, 0, bit)).toBe("EPERM");
      expect(verdict("openat", 3, 0, 0o100, bit)).toBe("EPERM");
      expect(verdict("openat", 3, 0, 0o20200000, bit)).toBe("EPERM");
      expect(verdict("mknodat", 3, 0, 0o100000 | bit)).toBe("EPERM");
    }
    expect(verdict("fchmod", 3, 0o1777)).toBe("allowed");
    // Without O_CREAT nobody reads the mode: whatever lies in the register is no reason.
    expect(verdict("openat", 3, 0, 0o2, 0o7777)).toBe("allowed");
    expect(verdict("mknodat", 3, 0, 0o010644)).toBe("allowed");
    for (const device of [0o020666, 0o060666]) expect(verdict("mknodat", 3, 0, device)).toBe("EPERM");
  });

  test("allows the personalities that a debugger or a sanitizer asks for", () => {
    for (const value of [0, 0x4_0000, 0xffff_ffff]) expect(verdict("personality", value)).toBe("allowed");
    for (const value of [8, 0x2_0000, 0x40_0000]) expect(verdict("personality", value)).toBe("EPERM");
  });
});

test("the x32 calls of x86-64 are killed", () => {
  const filter = readFileSync(filterFile("x64"));
  const call = { number: 0x4000_0000 + 101, architecture: AUDIT_ARCHITECTURE.x64 };
  expect(runFilter(filter, call)).toBe(ANSWER.killProcess);
});

test("an architecture without a filter is refused, with advice", () => {
  expect(() => filterFile("riscv64")).toThrow(/none for riscv64 .*--sandbox process/);
});

const HEADERS: Record<Architecture, string> = {
  x64: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
  arm64: "/usr/include/asm-generic/unistd.h",
};

test.each(ARCHITECTURES.filter((name) => existsSync(HEADERS[name])))("the numbers for %s are the kernel's", (name) => {
  const header = readFileSync(HEADERS[name], "utf8");
  const numbers = new Map(
    [...header.matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)/gm)].map(([, call, number]) => [call, Number(number)]),
  );
  for (const call of NAMES) {
    const known = numbers.get(call);
    const ours = syscallNumber(call, name);
    // The header may be older than the newest calls of the table.
    if (known !== undefined || (ours !== null && ours < 450)) expect(known, call).toBe(ours);
  }
});

function answer(architecture: Architecture, filter: Buffer, number: number, args: bigint[] = []): Refusal | "allowed" {
  const value = runFilter(filter, { number, architecture: AUDIT_ARCHITECTURE[architecture], arguments: args });
  if (value === ANSWER.allow) return "allowed";
  const refusal = REFUSALS.find((name) => value === (ANSWER.errno | ERRNO[name]));
  if (refusal === undefined) throw new Error(`the filter answers ${value.toString(16)}`);
  return refusal;
}
