/** Loaded when an object is first read or written. A run whose files are all in the store starts without it. */
export const zlib = (): typeof import("node:zlib") => process.getBuiltinModule("node:zlib");
