import { hash } from "node:crypto";

/** The one hash of the journal: SHA-256 in hexadecimal. */
export const sha256 = (data: string | Uint8Array): string => hash("sha256", data, "hex");
