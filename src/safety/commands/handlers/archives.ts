import type { Call, Handler, Judging } from "../judging/judging.ts";
import { hasOption, optionOf, readArguments } from "../judging/options.ts";
import { judgeKnown, judgeWrite } from "../judging/writes.ts";
import { after, type Field, leading, literal } from "../shell/field.ts";

const COMPRESSORS = /^(gzip|bzip2|xz|zstd|pigz|pbzip2|lzma|lz4|lzip|pxz)( -[\w-]+)*$/;

/** Where archives are unpacked to, and the programs they are told to run. */
export const archiveHandlers: Record<string, Handler> = {
  tar: runTar,
  bsdtar: runTar,
  unzip(call, judging) {
    const target = optionOf(readArguments(call.words, { short: "dx" }), "-d")?.value;
    if (target) judgeWrite(target, call, judging);
  },
  zip(call, judging) {
    const field = call.words.find((word) => leading(word).startsWith("-TT") || literal(word) === "-TT");
    if (field) judging.refuse("run.program", field);
  },
  cpio(call, judging) {
    const args = readArguments(call.words, { short: "DFIOEHMCR", long: ["directory", "file"] });
    const directory = optionOf(args, "-D", "--directory")?.value;
    if (directory && hasOption(args, "-i", "-p", "--extract", "--pass-through")) judgeWrite(directory, call, judging);
  },
  "7z": runSevenZip,
  "7za": runSevenZip,
  "7zr": runSevenZip,
  "7zz": runSevenZip,
};

function runSevenZip(call: Call, judging: Judging): void {
  const target = call.words.find((field) => leading(field).startsWith("-o"));
  if (target) judgeWrite(after(target, 2), call, judging);
}

function runTar(call: Call, judging: Judging): void {
  const [first, ...others] = call.words;
  // The old way writes its letters without a dash.
  const isOld = first !== undefined && /^[A-Za-z]+$/.test(literal(first) ?? "-");
  const words =
    isOld && first
      ? [{ ...first, pieces: [{ kind: "text" as const, text: `-${literal(first)}` }] }, ...others]
      : call.words;
  const isClustered = isOld || /^-\w{2,}$/.test(literal(first) ?? "");
  const args = readArguments(words, {
    short: isClustered ? "CIT" : "fCIT",
    long: ["file", "directory", "use-compress-program", "files-from"],
  });
  if (isOld && /P/.test(literal(first) ?? "")) judging.refuse("write.outside", first ?? call.name);
  const program = optionOf(args, "-I", "--use-compress-program");
  if (program && !COMPRESSORS.test(literal(program.value) ?? "?")) judging.refuse("run.program", program.field);
  const letters = args.options.map(({ name }) => name);
  const extracts = letters.some((name) => name === "-x" || name === "--extract" || name === "--get");
  const directory = optionOf(args, "-C", "--directory")?.value;
  if (extracts && isOld) for (const field of oldValues(literal(first) ?? "", others)) judgeWrite(field, call, judging);
  if (extracts && directory) judgeWrite(directory, call, judging);
  const creates = letters.some((name) => name === "-c" || name === "--create" || name === "-r" || name === "-u");
  const file = optionOf(args, "-f", "--file")?.value ?? (isClustered ? args.operands[0] : undefined);
  if (creates && file && literal(file) !== "-") judgeKnown(file, call, judging);
}

/** The old way: letters that take a value take the next words, in their order. Only those of `C` are directories. */
function oldValues(letters: string, words: Field[]): Field[] {
  const taking = [...letters].filter((letter) => "fCTIXbHLNKVgF".includes(letter));
  return taking.flatMap((letter, index) => (letter === "C" ? words.slice(index, index + 1) : []));
}
