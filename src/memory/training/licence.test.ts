import { expect, test } from "vitest";
import { allowedSet, isAllowed, licencesIn, licencesOf, PERMISSIVE } from "./licence.ts";

const permissive = allowedSet(PERMISSIVE);

test.each([
  ["LICENSE", "Permission is hereby granted, free of charge, to any\nperson obtaining a copy", "MIT"],
  ["LICENSE.txt", "Apache License\n   Version 2.0, January 2004", "Apache-2.0"],
  ["COPYING", "GNU GENERAL PUBLIC LICENSE\nVersion 3", "GPL"],
  ["COPYING.LESSER", "GNU LESSER GENERAL PUBLIC LICENSE", "LGPL"],
  ["LICENCE", "All rights reserved.", "unknown"],
  ["package.json", '{"license":"ISC"}', "ISC"],
  ["package.json", '{"license":"UNLICENSED"}', "none"],
  ["package.json", '{"name":"x"}', "none"],
  ["package.json", "broken", "none"],
  ["pyproject.toml", '[project]\nlicense = { text = "BSD-3-Clause" }', "BSD-3-Clause"],
])("%s tells the licence %#", (path, content, licence) => {
  expect(licencesOf([{ path, content }])).toEqual([licence]);
});

test("a project with two licences is under both, one without any under none", () => {
  const files = [
    { path: "COPYING", content: "GNU General Public License" },
    { path: "package.json", content: '{"license":"MIT"}' },
  ];
  expect(licencesOf(files)).toEqual(["GPL", "MIT"]);
  expect(licencesOf([])).toEqual(["none"]);
});

test("an expression is allowed by one side of OR, by both of AND", () => {
  expect(isAllowed("mit", permissive)).toBe(true);
  expect(isAllowed("(GPL-3.0 OR MIT)", permissive)).toBe(true);
  expect(isAllowed("GPL-3.0 AND MIT", permissive)).toBe(false);
  expect(isAllowed("unknown", permissive)).toBe(false);
  expect(isAllowed("unknown", allowedSet(["any"]))).toBe(true);
});

test("headers of files that are shown are licences too", () => {
  expect(licencesIn("// SPDX-License-Identifier: GPL-2.0-only\nint main;")).toEqual(["GPL-2.0-only"]);
  expect(licencesIn("/* SPDX-License-Identifier: MIT */")).toEqual(["MIT"]);
  expect(licencesIn("under the terms of the GNU Lesser General Public License")).toEqual(["GPL"]);
  expect(licencesIn("ordinary code")).toEqual([]);
});
