import { expect, test } from "vitest";
import { missingPlace, names, neededNothing } from "./left-places.ts";

const places = {
  changed: ["src/slug.js", "deploy.yml"],
  paths: ["src/slug.js", "src/cart.js", "deploy.yml", ".github/ci.yml"],
  text: (path: string) => (path === "src/slug.js" ? "export function slug() {}" : ""),
};

test("a place is named by its path, a folder around it, or its path and its unit", () => {
  const slug = { path: "src/slug.js", unit: "slug" };
  for (const leave of ["src/slug.js", "./src/slug.js", "src/", "src", "src/slug.js slug"])
    expect([leave, names(leave, slug)]).toEqual([leave, true]);
  for (const leave of ["slug.js", "sr", "src/slug.js cut"]) expect([leave, names(leave, slug)]).toEqual([leave, false]);
});

test("a place that is nowhere in the project is said with what the change touches; one that it leaves alone may be named", () => {
  expect(missingPlace("nothing.py", places)).toBe(
    "--leave nothing.py names nothing of this project: the change touches src/slug.js, deploy.yml",
  );
  expect(missingPlace("src/slug.js slugg", places)).toBe(
    "--leave 'src/slug.js slugg' names nothing in src/slug.js, before or after the change",
  );
  for (const leave of [".github/", "src/cart.js", "src/slug.js slug", "src/slug.js export default"])
    expect([leave, missingPlace(leave, places)]).toEqual([leave, null]);
});

test("a place that was named and is not open is said", () => {
  const account = [
    { path: "a.py", standing: "shown" as const, why: "" },
    { path: "b.yml", standing: "not-judged" as const, why: "", left: true },
  ];
  expect(neededNothing(["a.py", "b.yml"], account)).toEqual([
    "--leave a.py accepts nothing: no place that it names is open",
  ]);
});
