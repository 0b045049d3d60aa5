import { describe, expect, test } from "vitest";
import { packageRoot } from "../../config/package-root.ts";
import { loadDependencyRules } from "../dependencies/load-dependency-rules.ts";
import { judgeCommand } from "./judge-command.ts";
import { type CommandPolicy, mergeCommandPolicy } from "./judging/command-rules.ts";
import { loadCommandRules } from "./load-command-rules.ts";

const rules = {
  ...(await loadCommandRules(packageRoot())),
  dependencies: await loadDependencyRules(packageRoot()),
};
const judge = (line: string, policy: CommandPolicy = {}) => judgeCommand(line, mergeCommandPolicy(rules, policy));
const marked = (line: string) => judge(line).reasons.map(({ rule, from, to }) => [rule, line.slice(from, to)]);

describe("a reason", () => {
  test("points at the words it is about", () => {
    expect(marked("ls && sudo make install")).toEqual([["privilege.sudo", "sudo make install"]]);
    expect(marked('cd src; rm -rf build "$x"')).toEqual([["delete.unresolved", '"$x"']]);
    expect(marked("echo a > /etc/x")).toEqual([["write.outside", "> /etc/x"]]);
    expect(marked("LD_PRELOAD=./x ls")).toEqual([["variable.loader", "LD_PRELOAD=./x"]]);
  });

  test("in nested text points at the word that holds it, and says what was found", () => {
    const line = `echo a; sh -c 'ls; rm -rf "/etc"'`;
    const [reason] = judge(line).reasons;
    expect(reason && line.slice(reason.from, reason.to)).toBe(`'ls; rm -rf "/etc"'`);
    expect(reason).toMatchObject({ rule: "delete.outside", text: "/etc" });
  });

  test("shows what a disguise stands for", () => {
    expect(judge("a=r;b=m;$a$b -rf /").reasons).toMatchObject([{ rule: "delete.outside", text: "/" }]);
    expect(judge("$'\\x73udo' ls").reasons).toMatchObject([{ rule: "privilege.sudo", text: "sudo ls" }]);
  });

  test("of a line that does not parse says where", () => {
    const line = "ls; echo $(pwd";
    const [reason] = judge(line).reasons;
    expect(reason).toMatchObject({ rule: "line.unreadable", decision: "deny" });
    expect(reason?.from).toBeGreaterThan(3);
  });

  test("that denies comes before one that asks, and decides over the subject", () => {
    const verdict = judge("pip install unheard-of; git push");
    expect(verdict.reasons.map(({ decision }) => decision)).toEqual(["deny", "ask"]);
    expect(verdict).toMatchObject({ decision: "deny", subject: "network" });
    expect(judge("pip install unheard-of")).toMatchObject({ decision: "ask", subject: "deps" });
  });
});

describe("directories", () => {
  test("change only when cd succeeds", () => {
    expect(judge("cd build && rm -rf *").decision).toBe("allow");
    expect(judge("cd build || exit 1; rm -rf *").decision).toBe("allow");
    expect(judge("cd build; rm -rf *").decision).toBe("deny");
    expect(judge("(cd build && rm -rf *); rm -rf *").decision).toBe("deny");
    expect(judge("cd build && ls; rm -rf *").decision).toBe("deny");
  });

  test("that cannot be told make every relative deletion a guess", () => {
    expect(judge('cd "$(cat where)" && rm -rf x').decision).toBe("deny");
    expect(judge('d=$(mktemp -d) && rm -rf "$d/x"').decision).toBe("allow");
  });
});

describe("variables", () => {
  test("count with every value they are given anywhere", () => {
    expect(judge("x=build; rm -rf $x").decision).toBe("allow");
    expect(judge("x=build; [ -n y ] && x=/; rm -rf $x").decision).toBe("deny");
  });

  test("that are set only perhaps may be empty", () => {
    expect(judge('[ -d b ] && x=build; rm -rf "$x"/').decision).toBe("deny");
    expect(judge('for x in a b; do rm -rf "$x"; done').decision).toBe("allow");
    expect(judge('for x in a b; do ls; done; rm -rf "$x"/').decision).toBe("deny");
  });
});

test("a trap sees the variables and functions of its shell, a new shell does not", () => {
  expect(judge("d=$(mktemp -d); trap 'rm -rf \"$d\"' EXIT").decision).toBe("allow");
  expect(judge("d=build; sh -c 'rm -rf \"$d\"'").decision).toBe("deny");
  expect(judge("f() { rm -rf \"$1\"; }; trap 'f build' EXIT").decision).toBe("allow");
  expect(judge("f() { rm -rf \"$1\"; }; trap 'f /' EXIT").decision).toBe("deny");
});

test("text that the shell evaluates a second time is refused, plain subscripts are not", () => {
  expect(judge("a='x[$(rm -rf /)]'; (( a ))").decision).toBe("deny");
  expect(judge("[[ -v 'x[$(ls)]' ]]").decision).toBe("deny");
  expect(judge("c='$(ls)'; : \"$\u007bc@P}\"").decision).toBe("deny");
  expect(judge("i=1; x[i]=2; (( x[i] > 1 )); unset 'x[0]'; echo 'x[$(ls)]'").decision).toBe("allow");
});

test("a function that is defined twice is judged twice", () => {
  expect(judge("f() { rm -rf /; }; f; f() { ls; }").decision).toBe("deny");
  expect(judge("f() { sh -c 'f() { rm -rf /; }; f'; }; f").decision).toBe("deny");
  expect(judge("f() { eval 'f() { rm -rf /; }; f'; }; f").decision).toBe("deny");
});

test("a shift drops arguments, and every rest of them is judged", () => {
  expect(judge('run() { shift; "$@"; }; run label npm test').decision).toBe("allow");
  expect(judge('run() { shift; "$@"; }; run label rm -rf /').decision).toBe("deny");
});

test("the default of a variable that nothing sets holds, unless another shell may set it", () => {
  expect(judge('rm -rf "$\u007bBUILD:-build}"').decision).toBe("allow");
  expect(judge('BUILD=/; rm -rf "$\u007bBUILD:-build}"').decision).toBe("deny");
  expect(judge("BUILD=/ sh -c 'rm -rf \"$\u007bBUILD:-build}\"'").decision).toBe("deny");
  expect(judge('rm -rf "$\u007bREPLY:-build}"').decision).toBe("deny");
});

describe("files that the same line writes", () => {
  const made = "cat > Makefile <<'E'\nall:\n\tls\nwipe:\n\trm -rf /\nE\n";
  test("count when a build runs them, and only the parts that it runs", () => {
    expect(judge(`${made}make`).decision).toBe("allow");
    expect(judge(`${made}make wipe`).decision).toBe("deny");
    expect(judge('echo \'{"scripts":{"test":"rm -rf ~"}}\' > package.json; npm test').decision).toBe("deny");
    expect(judge('echo \'{"scripts":{"test":"rm -rf ~"}}\' > package.json; npm run build').decision).toBe("allow");
  });

  test("count when tests run them, as far as they are written out", () => {
    const file = (code: string) => `cat > conftest.py <<'E'\n${code}\nE\n`;
    expect(judge(`${file('import os; os.system("rm -rf /")')}pytest`).decision).toBe("deny");
    expect(judge(`${file("import subprocess; subprocess.run(command)")}pytest`).decision).toBe("allow");
    expect(judge(file('import os; os.system("rm -rf /")')).decision).toBe("allow");
  });
});

describe("installs", () => {
  test("of listed packages pass, and are told", () => {
    const verdict = judge('python3 -m pip install "pytest>=8" hypothesis');
    expect(verdict.decision).toBe("allow");
    expect(verdict.installs).toEqual([
      {
        manager: "pip",
        language: "python",
        packages: [
          { name: "pytest", version: ">=8" },
          { name: "hypothesis", version: null },
        ],
        manifest: null,
      },
    ]);
  });

  test("name the manifest they take their packages from", () => {
    expect(judge("pip install -r requirements/dev.txt").installs).toMatchObject([{ manifest: "requirements/dev.txt" }]);
    expect(judge("npm ci").installs).toMatchObject([
      { manager: "npm", language: "javascript", manifest: "package.json" },
    ]);
    expect(judge("go mod download").installs).toMatchObject([{ language: "go", manifest: "go.mod" }]);
  });

  test("are found inside of other commands", () => {
    expect(judge("sh -c 'cd web && env CI=1 npm install unheard-of'").installs).toMatchObject([
      { packages: [{ name: "unheard-of" }] },
    ]);
  });

  test("say why they ask: a misspelling, a version, an address, another registry", () => {
    const why = (line: string) => judge(line).reasons.map(({ rule }) => rule);
    expect(why("pip install reqeusts")).toEqual(["install.typo"]);
    expect(why("pip install pytest==6.2")).toEqual(["install.version"]);
    expect(why("npm i ./local")).toEqual(["install.direct"]);
    expect(why("pip install -i http://example.org pytest")).toEqual(["install.registry"]);
    expect(why("cargo install ripgrep")).toEqual(["install.manager"]);
    expect(judge("pip install reqeusts").reasons[0]?.text).toContain("misspelling of requests");
  });
});

describe("a user's lists", () => {
  test("allow what the shipped list of commands refuses", () => {
    expect(judge("git push origin main").decision).toBe("deny");
    expect(judge("git push origin main", { allow: ["git push"] }).decision).toBe("allow");
    expect(judge("git -C web push --force", { allow: ["git push"] }).decision).toBe("allow");
  });

  test("deny wins over ask, and ask over allow", () => {
    expect(judge("make deploy", { deny: ["make deploy"], ask: ["make"], allow: ["make"] }).reasons).toMatchObject([
      { rule: "user.deny" },
    ]);
    expect(judge("make deploy", { ask: ["make deploy"], allow: ["make"] }).reasons).toMatchObject([
      { rule: "user.ask" },
    ]);
    expect(judge("env X=1 make deploy", { deny: ["make deploy"] }).decision).toBe("deny");
    expect(judge("make test", { deny: ["make deploy"] }).decision).toBe("allow");
  });

  test("give a rule another decision, or switch it off", () => {
    expect(judge("git push", { decisions: { "git.push": "ask" } }).decision).toBe("ask");
    expect(judge("git push", { decisions: { "git.push": "allow" } }).decision).toBe("allow");
  });

  test("never allow what cannot be read or told", () => {
    const decisions = { "name.unresolved": "allow", "line.unreadable": "allow" } as const;
    expect(judge("$x", { decisions }).decision).toBe("deny");
    expect(judge("echo $(", { decisions }).decision).toBe("deny");
    expect(judge("$x", { allow: ["$x"] }).decision).toBe("deny");
  });

  test("widen what may be written", () => {
    expect(judge("echo x > /srv/out/x").decision).toBe("deny");
    expect(judge("echo x > /srv/out/x", { writable: ["/srv/out"] }).decision).toBe("allow");
  });
});
