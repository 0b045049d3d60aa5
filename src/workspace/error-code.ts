/** The system's name for what went wrong: `ENOENT`. Errors of another realm count, too. */
export function errorCode(error: unknown): string | undefined {
  const hasCode = typeof error === "object" && error !== null && "code" in error;
  return hasCode && typeof error.code === "string" ? error.code : undefined;
}
