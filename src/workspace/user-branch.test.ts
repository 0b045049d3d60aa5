import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SampleRepository } from "../../test/sample-repository.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import { noFaults } from "../faults.ts";
import { ArtifactStore } from "./artifact-store.ts";
import { checkBranch, makeBranch, planBranch, removeBranch } from "./user-branch.ts";

const files = { "a.txt": "a\n", "old.txt": "old\n", "sub/b.txt": "b\n" };

async function delivered(branch = "feature/pears", below = "") {
  const repository = new SampleRepository(files);
  const directory = join(repository.directory, below);
  const store = ArtifactStore.open(temporaryDirectory("miracle-data-"));
  const { id: base } = await store.importTree("t1", directory, { home: "/nonexistent" });
  const grown = store.overlay("t1", base, [
    { path: "new/x.sh", content: "run\n", permissions: 0o755 },
    { path: below === "" ? "a.txt" : "b.txt", content: "changed\n" },
  ]);
  const result = store.withoutPaths("t1", grown, ["old.txt"]);
  const plan = () => planBranch(store, directory, { branch, base, result, message: "Pears\n", at: 1_700_000_000_000 });
  return { repository, directory, store, plan };
}

const refs = (repository: SampleRepository) => repository.git("for-each-ref", "--format=%(refname)").trim();

describe("a branch in the user's repository", () => {
  test("is a commit on top of HEAD, and neither files nor index nor HEAD change; made again it is the same", async () => {
    const { repository, directory, store, plan } = await delivered();
    repository.write({ "staged.txt": "staged\n", "mine.txt": "mine\n" });
    repository.git("add", "staged.txt");
    const before = repository.git("status", "--porcelain");
    const intent = await plan();
    expect(refs(repository)).toBe("refs/heads/main");
    await makeBranch(intent, directory, store, noFaults);
    await makeBranch(intent, directory, store, noFaults);
    expect(repository.git("status", "--porcelain")).toBe(before);
    expect(repository.git("symbolic-ref", "HEAD").trim()).toBe("refs/heads/main");
    const shown = repository.git("diff", "--summary", "--stat=80", "main", "feature/pears");
    expect(repository.git("log", "--format=%s %an", "main..feature/pears")).toBe("Pears Miracle\n");
    for (const line of ["a.txt", "create mode 100755 new/x.sh", "delete mode 100644 old.txt"])
      expect(shown).toContain(line);
    expect(shown).not.toMatch(/staged|mine|sub/);
    expect(repository.git("fsck", "--strict", "--no-dangling")).toBe("");
  });

  test("lies right when the project is a part of the repository", async () => {
    const { repository, directory, store, plan } = await delivered("part", "sub");
    await makeBranch(await plan(), directory, store, noFaults);
    expect(repository.git("show", "part:sub/b.txt")).toBe("changed\n");
    expect(repository.git("show", "part:a.txt")).toBe("a\n");
  });

  test("takes no edits along that are not committed", async () => {
    const { repository, directory, store } = await delivered();
    repository.write({ "a.txt": "edited\n" });
    const { id: base } = await store.importTree("t1", directory, { home: "/nonexistent" });
    const result = store.overlay("t1", base, [{ path: "a.txt", content: "edited\nchanged\n" }]);
    const wanted = { branch: "x", base, result, message: "X", at: 0 };
    await expect(planBranch(store, directory, wanted)).rejects.toThrow(/a\.txt had changes that are not committed/);
  });

  test("is refused where there is one, where its name is none, and where no repository is", async () => {
    const { repository, directory } = await delivered();
    repository.git("branch", "taken");
    await expect(checkBranch(directory, "taken")).rejects.toThrow(/there is a branch taken already/);
    await expect(checkBranch(directory, "taken/below")).rejects.toThrow(/there is a branch taken already/);
    for (const name of ["-d", "a..b", "@{-1}", "", "HEAD", "a b"])
      await expect(checkBranch(directory, name), name).rejects.toThrow(/is no name for a branch/);
    const outside = temporaryDirectory("miracle-outside-");
    mkdirSync(join(outside, "project"));
    await expect(checkBranch(join(outside, "project"), "x")).rejects.toThrow(/no git repository/);
  });
});

describe("taking a branch back", () => {
  test("removes it, also when it was never made, and again", async () => {
    const { repository, directory, store, plan } = await delivered();
    const intent = await plan();
    expect(await removeBranch(intent, directory, noFaults)).toBeNull();
    await makeBranch(intent, directory, store, noFaults);
    expect(await removeBranch(intent, directory, noFaults)).toBeNull();
    expect(await removeBranch(intent, directory, noFaults)).toBeNull();
    expect(refs(repository)).toBe("refs/heads/main");
  });

  test("spares what a person has built on it, or stands on, and a branch of that name which is theirs", async () => {
    const { repository, directory, store, plan } = await delivered();
    const intent = await plan();
    await makeBranch(intent, directory, store, noFaults);
    repository.git("checkout", "-q", "feature/pears");
    expect(await removeBranch(intent, directory, noFaults)).toBe("checked out");
    repository.commit({ "more.txt": "more\n" });
    repository.git("checkout", "-q", "main");
    const built = repository.git("rev-parse", "feature/pears");
    expect(await removeBranch(intent, directory, noFaults)).toBe("built upon");
    expect(repository.git("rev-parse", "feature/pears")).toBe(built);
    repository.git("branch", "-f", "feature/pears", "main");
    expect(await removeBranch(intent, directory, noFaults)).toBeNull();
    expect(refs(repository)).toContain("feature/pears");
  });
});
