/** Loaded when an object is first read or written: a run whose files the store has already starts without it. */
export const zlib = (): typeof import("node:zlib") => process.getBuiltinModule("node:zlib");
