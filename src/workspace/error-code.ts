/** The system's name of an error: `ENOENT`. Works for errors of another realm, too. */
export function errorCode(error: unknown): string | undefined {
  const hasCode = typeof error === "object" && error !== null && "code" in error;
  return hasCode && typeof error.code === "string" ? error.code : undefined;
}
