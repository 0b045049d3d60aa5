/** Makes text that every database can store: no half characters, and no NUL, which PostgreSQL refuses. */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "\ufffd") : whole;
}
