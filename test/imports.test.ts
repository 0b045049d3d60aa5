import { describe, expect, test } from "vitest";
import { DOORS } from "./doors.ts";
import {
  arrowsBetween,
  circlesIn,
  doorsOf,
  files,
  foldersWithRooms,
  imports,
  partOf,
  ROOT,
  reachable,
  roomOf,
} from "./import-graph.ts";

/** A folder may import every folder behind it, and none before it. */
const ORDER = [
  "cli",
  "server",
  "mcp",
  "acp",
  "app.ts",
  "app",
  "engine",
  "agents",
  "verify",
  "environments",
  "languages",
  "memory",
  "safety",
  "sandbox",
  "syntax",
  "workspace",
  "llm",
  "journal",
  "store",
  "queue",
  "bus",
  "domain",
  "faults.ts",
];

/** Beside the order: what only the outermost parts use, and what these may use themselves. */
const OUTSIDE = {
  config: { usedBy: ["cli", "server", "mcp", "acp", "app.ts", "app"], uses: ["domain"] },
  logs: { usedBy: ["cli", "server", "app.ts", "app"], uses: ["bus", "domain"] },
};

/** Files that stand for one way of doing what a port promises. */
const ADAPTERS = [
  "store/sqlite.ts",
  "store/open-postgres.ts",
  "store/postgres-wire.ts",
  "queue/local-job-queue.ts",
  "queue/boss-job-queue.ts",
  "bus/redis-wire.ts",
  "sandbox/open-sandbox.ts",
  "sandbox/bubblewrap.ts",
  "sandbox/no-sandbox.ts",
  "sandbox/docker/docker.ts",
  "llm/open-model.ts",
  "llm/open-provider.ts",
  "llm/ledger.ts",
];

/** A room of these folders may import every room behind it, and none before it. */
const ROOM_ORDER: Record<string, string[]> = {
  cli: [ROOT, "commands", "task", "doctor", "remote", "input", "terminal", "text"],
  server: [ROOT, "routes", "tasks", "events", "work", "access"],
  engine: [ROOT, "delivery", "plan", "rescue", "proof", "todo", "gate", "testing", "planning", "hands"],
  domain: ["task", "evidence", "loop", "plan", "settings", "memory", ROOT],
  safety: [ROOT, "hooks", "commands", "scan", "dependencies", "secrets", "rules"],
  verify: [
    "prove",
    "evidence",
    "account",
    "measure",
    "written-tests",
    "gate",
    "contract",
    "performance",
    "stubs",
    "isolated",
    "held-out",
    "coverage",
    "flakes",
    "compare",
    "mutants",
    "witness",
    "change",
    "integrity",
    "locks",
  ],
};

/** A vocabulary: whoever needs a word takes it from its own file. */
const WITHOUT_DOORS = ["domain"];

/** The composition root, and the parts it is made of. */
const isApp = (file: string): boolean => file === "app.ts" || partOf(file) === "app";

const inside = imports.filter(({ from, to }) => partOf(from) === partOf(to));

describe("the arrows of import", () => {
  test("are really read", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(imports).toContainEqual({ from: "cli/task/open-app.ts", to: "app.ts" });
    expect(imports).toContainEqual({ from: "cli/command-table.ts", to: "cli/commands/run.ts" });
    expect(imports).toContainEqual({ from: "bus/bus.ts", to: "domain/task/event.ts" });
  });

  test("lead to files that exist", () => {
    expect(imports.filter(({ to }) => !files.includes(to))).toEqual([]);
  });

  test("know every folder", () => {
    const known = [...ORDER, ...Object.keys(OUTSIDE)];
    expect([...new Set(files.map(partOf))].filter((part) => !known.includes(part))).toEqual([]);
  });

  test("point down only", () => {
    expect(imports.filter(({ from, to }) => !isAllowed(partOf(from), partOf(to)))).toEqual([]);
  });

  test("form no circle of folders", () => {
    expect(circlesIn(arrowsBetween(imports, partOf))).toEqual([]);
  });

  test("point down only among the rooms of a folder, too", () => {
    const wrong = inside.filter(({ from, to }) => {
      const order = ROOM_ORDER[partOf(from)];
      return order !== undefined && order.indexOf(roomOf(to)) < order.indexOf(roomOf(from));
    });
    expect(wrong).toEqual([]);
  });

  test("know every room of a folder that has an order", () => {
    const ordered = files.filter((file) => partOf(file) in ROOM_ORDER);
    expect(ordered.filter((file) => !ROOM_ORDER[partOf(file)]?.includes(roomOf(file)))).toEqual([]);
    for (const [folder, rooms] of Object.entries(ROOM_ORDER)) {
      expect(rooms.filter((room) => !files.some((file) => partOf(file) === folder && roomOf(file) === room))).toEqual(
        [],
      );
    }
  });

  test("form no circle of the rooms of a folder", () => {
    const circles = foldersWithRooms
      .filter((folder) => !(folder in ROOM_ORDER))
      .flatMap((folder) => {
        const between = inside.filter(
          ({ from, to }) => partOf(from) === folder && roomOf(from) !== ROOT && roomOf(to) !== ROOT,
        );
        return circlesIn(arrowsBetween(between, (file) => `${folder}/${roomOf(file)}`));
      });
    expect(circles).toEqual([]);
  });

  test("form no circle of files", () => {
    const circles = circlesIn(arrowsBetween(imports, (file) => file));
    expect(circles).toEqual([]);
  });

  test("enter a folder by its doors", () => {
    const guarded = foldersWithRooms.filter((folder) => !WITHOUT_DOORS.includes(folder));
    const rooms = (ROOM_ORDER.engine ?? []).filter((room) => room !== ROOT).map((room) => `engine/${room}`);
    expect(Object.keys(DOORS).sort()).toEqual([...guarded, ...rooms].sort());
    for (const [folder, doors] of Object.entries(DOORS))
      expect({ folder, doors: doorsOf(folder) }).toEqual({ folder, doors });
  });

  test("leave the choice of adapters to app.ts and its folder", () => {
    const main = "cli/main.ts";
    // What is only there for tests is not among them.
    const product = reachable(
      arrowsBetween(imports, (file) => file),
      main,
    ).add(main);
    const chosen = imports.filter(({ from, to }) => ADAPTERS.includes(to) && partOf(from) !== partOf(to));
    expect(chosen.filter(({ from }) => product.has(from) && !isApp(from))).toEqual([]);
    expect(chosen.some(({ from }) => isApp(from))).toBe(true);
    expect(ADAPTERS.filter((file) => !files.includes(file))).toEqual([]);
  });

  test("never lead from the domain to anything of ours", () => {
    expect(imports.filter(({ from, to }) => partOf(from) === "domain" && partOf(to) !== "domain")).toEqual([]);
  });
});

function isAllowed(from: string, to: string): boolean {
  if (from === to) return true;
  for (const [part, { usedBy, uses }] of Object.entries(OUTSIDE)) {
    if (to === part) return usedBy.includes(from);
    if (from === part) return uses.includes(to);
  }
  return ORDER.indexOf(from) < ORDER.indexOf(to);
}
