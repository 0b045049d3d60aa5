export interface Login {
  user: string;
  password: string;
}

/** Names and passwords of a `.netrc`, by host. */
export function netrcLogins(text: string): Map<string, Login> {
  const logins = new Map<string, Login>();
  const words = text.replaceAll(/^\s*#.*$/gm, "").match(/\S+/g) ?? [];
  let host: string | null = null;
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? "";
    if (word === "machine") host = next;
    if (word === "default") host = null;
    if (host === null || (word !== "login" && word !== "password")) continue;
    const known = logins.get(host) ?? { user: "", password: "" };
    logins.set(host, { ...known, [word === "login" ? "user" : "password"]: next });
  }
  return logins;
}
