/** Options of Node that are followed by their value. */
const WITH_VALUE = new Set(["--import", "--require", "-r", "--loader", "--experimental-loader", "--conditions", "-C"]);

/**
 * What the user's own `node --test` script asks of Node besides: its options, and the files it means. A script that does
 * more than that, by the shell, is not taken apart.
 */
export function scriptOptions(script: string | null): { options: string[]; patterns: string[] } {
  const words = script?.trim().split(/\s+/) ?? [];
  if (words[0] !== "node" || !words.includes("--test") || /[;&|<>$`\\'"(){}]/.test(script ?? "")) {
    return { options: [], patterns: [] };
  }
  const options: string[] = [];
  const patterns: string[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--test" || word === "--watch" || word.startsWith("--test-reporter")) continue;
    if (WITH_VALUE.has(word)) {
      index += 1;
      options.push(word, words[index] ?? "");
    } else (word.startsWith("-") ? options : patterns).push(word);
  }
  return { options, patterns };
}
