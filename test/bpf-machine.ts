import { BPF } from "../scripts/seccomp/bpf-program.ts";

/** A call as the kernel shows it to a filter. */
export interface Call {
  number: number;
  architecture: number;
  arguments?: bigint[];
}

/** Runs a filter as the kernel does, for tests: what does it answer to this call? */
export function runFilter(filter: Buffer, call: Call): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.architecture, 4);
  for (const [index, value] of (call.arguments ?? []).entries()) data.writeBigUInt64LE(value, 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const code = filter.readUInt16LE(at);
    const operand = filter.readUInt32LE(at + 4);
    const jump = (holds: boolean) => 8 * filter.readUInt8(at + (holds ? 2 : 3));
    if (code === BPF.answer) return operand;
    if (code === BPF.loadWord) accumulator = data.readUInt32LE(operand);
    else if (code === BPF.and) accumulator = (accumulator & operand) >>> 0;
    else if (code === BPF.jumpIfEqual) at += jump(accumulator === operand);
    else if (code === BPF.jumpIfGreater) at += jump(accumulator > operand);
    else if (code === BPF.jumpIfAtLeast) at += jump(accumulator >= operand);
    else if (code === BPF.jumpIfAnyBit) at += jump((accumulator & operand) !== 0);
    else throw new Error(`no such instruction: ${code}`);
  }
  throw new Error("the filter ends without an answer");
}
