import { createHash } from "node:crypto";
import { chownSync, lstatSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Guise } from "../../sandbox/sandbox.ts";

const HOME = "/home/anna";

/** A person's machine, as far as code can tell. The project is called what a person calls it. */
export function guiseFor(project: string): Guise {
  const name = project
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return {
    user: "anna",
    fullName: "Anna Keller",
    home: HOME,
    directory: `${HOME}/projects/${name === "" ? "shop" : name}`,
    host: "linden",
    zone: "America/Lima",
  };
}

/** The variables of a login shell. */
export function shellVariables({ user, home, directory }: Guise): Record<string, string> {
  return {
    HOME: home,
    USER: user,
    LOGNAME: user,
    SHELL: "/bin/bash",
    LANG: "en_US.UTF-8",
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    PWD: directory,
    OLDPWD: home,
    SHLVL: "1",
    EDITOR: "vim",
    LS_COLORS: "di=01;34:ln=01;36:ex=01;32",
    XDG_RUNTIME_DIR: "/run/user/1000",
    XDG_SESSION_TYPE: "tty",
    XDG_SESSION_ID: "3",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1000/bus",
  };
}

/** A repository with one commit around the files, which are some weeks old. Nothing of the tree has run here yet. */
export function settleIn(directory: string, { user, fullName }: Guise): void {
  const owner = lstatSync(directory);
  const written: string[] = [];
  const put = (path: string, content: string | Buffer) => {
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const place = join(directory, ...parts.slice(0, depth));
      if (lstatSync(place, { throwIfNoEntry: false })) continue;
      mkdirSync(place);
      written.push(place);
    }
    const place = join(directory, path);
    writeFileSync(place, content);
    written.push(place);
  };
  age(directory, { left: MOST_FILES });
  if (lstatSync(join(directory, ".git"), { throwIfNoEntry: false })) return;
  const store = (kind: string, content: string): string => {
    const body = Buffer.from(`${kind} ${Buffer.byteLength(content)}\0${content}`);
    const name = createHash("sha1").update(body).digest("hex");
    put(`.git/objects/${name.slice(0, 2)}/${name.slice(2)}`, deflateSync(body));
    return name;
  };
  const who = `${fullName} <${user}@example.org> ${COMMITTED} -0500`;
  const commit = store("commit", `tree ${store("tree", "")}\nauthor ${who}\ncommitter ${who}\n\nFirst steps\n`);
  put(".git/HEAD", "ref: refs/heads/main\n");
  put(".git/config", "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n");
  put(".git/refs/heads/main", `${commit}\n`);
  for (const path of written) chownSync(path, owner.uid, owner.gid);
}

const MOST_FILES = 5_000;
const DAY = 86_400;
/** In seconds: a morning some weeks ago, but never the future of a machine whose clock is wrong. */
const COMMITTED = 1_772_461_000;

/** Each file another age. */
function age(directory: string, count: { left: number }): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (count.left-- <= 0) return;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) age(path, count);
    else if (entry.isFile()) {
      const at = COMMITTED - (count.left % 40) * DAY - count.left * 13;
      utimesSync(path, at, at);
    }
  }
}
