/** Whether a text says this name as a word of its own. */
export const saysWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w$])${RegExp.escape(word)}(?![\\w$])`).test(text);
