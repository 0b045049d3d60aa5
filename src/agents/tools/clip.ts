/**
 * Keeps both ends of a long text: the beginning says what was done, the end says what came of it. It must be short,
 * because the answer of a tool is sent again with every later turn.
 */
export function clip(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const half = Math.floor(characters / 2);
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`;
}

/** The first names of a list, and how many more there are. */
export function firstOf(names: string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
