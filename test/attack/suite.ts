import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SandboxLimits } from "../../src/domain/settings/settings.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type Attack, mountsOf } from "./attack.ts";
import { ATTACKS } from "./attacks.ts";
import { Battlefield, type FieldOptions, SECRET } from "./battlefield.ts";

export interface AttackedBackend extends FieldOptions {
  name: string;
  /** A sandbox in a process whose environment holds SECRET. */
  open(): Sandbox;
  /** What the backend keeps on the host while it runs, by name; looked at once it is disposed of. */
  leftBehind?(): string[];
}

/** Short, so that what only ends by its limit ends soon. */
const LIMITS: SandboxLimits = {
  cpus: 1,
  memoryMb: 128,
  pids: 64,
  diskMb: 64,
  timeoutMs: 10_000,
  outputBytes: 64_000,
};

const signal = new AbortController().signal;

/** Tries every attack on one backend; after each the host must be as before, and the next command must work. */
export function attackSuite(backend: AttackedBackend): void {
  describe(backend.name, () => {
    let field: Battlefield;
    let sandbox: Sandbox;
    let contained = 0;
    let descriptors = 0;

    beforeAll(async () => {
      field = await Battlefield.open(backend);
      sandbox = backend.open();
    });
    afterAll(async () => {
      await field[Symbol.asyncDispose]();
      const escapes = ATTACKS.length - contained;
      process.stdout.write(`${backend.name}: ${ATTACKS.length} attacks, ${escapes} escapes\n`);
    });

    for (const attack of ATTACKS) test(`contains what ${attack.name}`, () => survives(attack));

    test("leaves nothing behind when it is disposed of", async () => {
      expect(openDescriptors()).toBeLessThan(descriptors + 10);
      await sandbox[Symbol.asyncDispose]();
      expect(backend.leftBehind?.() ?? []).toEqual([]);
    });

    async function survives(attack: Attack): Promise<void> {
      field.begin();
      const { argv, stdin } = attack;
      const mounts = mountsOf(field.mounted);
      const command = {
        argv,
        workspace: field.workspace,
        mounts,
        env: field.env,
        ...(stdin !== undefined && { stdin }),
      };
      const result = await sandbox.run(command, { ...LIMITS, ...attack.limits }, signal);
      const said = `${result.stdout}\n${result.stderr}`;
      expect(said, "the attack did not run").toContain("tried");
      expect(result.stderr, "the attack broke by itself").not.toContain("Traceback");
      expect(said.split("\n").filter((line) => line.startsWith("ESCAPED"))).toEqual([]);
      expect(said).not.toContain(SECRET);
      expect(result.stdout.length + result.stderr.length).toBeLessThan(2 * LIMITS.outputBytes + 1_000);
      await attack.check?.(result, field);
      const { now, before, inWorkspace } = await field.harm();
      expect(now).toEqual(before);
      expect(inWorkspace).toEqual([]);
      expect(await goesOn()).toBe("well\n");
      contained += 1;
      descriptors ||= openDescriptors();
    }

    /** A harmless command right after an attack: nothing of it may still be in the way. */
    async function goesOn(): Promise<string> {
      field.begin();
      const { stdout } = await sandbox.run({ argv: ["echo", "well"], workspace: field.workspace }, LIMITS, signal);
      await field.harm();
      return stdout;
    }
  });
}

const openDescriptors = () => readdirSync("/proc/self/fd").length;
