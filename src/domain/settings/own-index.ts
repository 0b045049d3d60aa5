/** An index of packages that the person's own settings name, for their package managers. */
export interface OwnIndex {
  language: "python" | "javascript" | "go";
  /** Without credentials; it ends with a slash. */
  url: string;
  /** What is said to it with each request. Only the mirror knows it: it never enters a sandbox. */
  authorization: string | null;
  /** `all`: instead of the public one. `more`: beside it. `@name`: for the packages of this scope of npm's. */
  serves: "all" | "more" | `@${string}`;
  /** The variable or file that names it. */
  source: string;
}

/** As it was found: the address may hold credentials. */
export interface NamedIndex extends Omit<OwnIndex, "authorization"> {
  authorization?: string;
}
