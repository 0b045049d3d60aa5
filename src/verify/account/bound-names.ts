/** The names that an import gives to its file: `total` of `from cart import sum as total`. None: it is there for what it does. */
export function boundNames(statement: string): string[] {
  const isPython = /^\s*from\s/.test(statement);
  const list = isPython
    ? statement.replace(/^\s*from\s+\S+\s+import/, "")
    : statement.replace(/^\s*import|from\s*["'].*$|["'].*["'];?\s*$/gs, "");
  return list
    .replace(/[(){}*]|\btype\b/g, " ")
    .split(",")
    .flatMap((one) => /([\w$]+)\s*(?:#.*)?$/.exec(one.trim().split("\n").at(-1) ?? "")?.[1] ?? []);
}
