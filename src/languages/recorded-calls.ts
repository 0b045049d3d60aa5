import type { Mutant } from "../domain/evidence/mutant-report.ts";

/** Which functions of a tree are watched while tests run. */
export interface RecordOrder {
  files: Record<string, WatchedFile>;
  /** The directory for what is written down, as the tests see it. */
  out: string;
  /** Tests whose calls are kept however many others there are: those that turned green. */
  first: readonly string[];
  /** Calls are made again where the tests make them, instead of written down. */
  place?: PlaceOrder;
}

export interface PlaceOrder {
  /** How many variations are made of each call. */
  vary: number;
  callMs: number;
  deadlineMs: number;
  memoryMb: number;
}

export interface WatchedFile {
  /** Every function of it that tests call. */
  all: boolean;
  /** `Class.method`, and the lines it stands on. */
  functions: { name: string; from: number; to: number }[];
}

/** A function that is called again, where one tree has it. */
export interface ReplayedFunction {
  /** The same for both trees. */
  key: string;
  path: string;
  name: string;
  /** As the tests imported it; empty: the path tells. */
  module: string;
}

/** `Class.name`, and the file it stands in. */
interface HeldName {
  path: string;
  name: string;
}

export interface ReplayedCall {
  id: string;
  key: string;
  /** Written by the recorder, read by the replay alone. */
  data: string;
}

export interface ReplayOrder {
  functions: ReplayedFunction[];
  calls: ReplayedCall[];
  /** Where the tests found modules, besides the usual places. */
  paths: string[];
  /** How many variations are made of each function's calls. */
  vary: number;
  /** Calls are made twice, and random numbers, hashes and the order of calls differ between the two. */
  attempt: 1 | 2;
  /** No call meets what another left. */
  alone: boolean;
  callMs: number;
  deadlineMs: number;
  memoryMb: number;
  /** Names that statements bind: what they stand for when their module is loaded. */
  values: HeldName[];
  /** Small changes of the code, tried on the calls; `outcome` of a call is what it must be told from. */
  mutants: TriedMutant[];
}

export interface TriedMutant {
  mutant: Mutant;
  /** The whole text with the mutant in it, and without. */
  content: string;
  original: string;
  calls: { id: string; outcome: string }[];
}
