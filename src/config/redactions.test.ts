import { expect, test } from "vitest";
import { redactions } from "./redactions.ts";

test("names the values of variables that are secret by name", () => {
  const env = {
    GITHUB_TOKEN: "ghp_0123456789",
    DB_PASSWORD: "correct horse",
    AWS_SECRET_ACCESS_KEY: "abcdefgh",
    SHORT_TOKEN: "1234567",
    SSH_KEY: "/home/me/.ssh/id",
    TOKENIZER: "a-long-harmless-word",
    HOME: "/home/somebody",
  };
  expect(redactions(env, {}, []).sort()).toEqual(["abcdefgh", "correct horse", "ghp_0123456789"]);
});

test("names the values of variables the person listed, of either source", () => {
  expect(redactions({ LICENCE: "just-a-text" }, { OTHER: "also a text" }, ["LICENCE", "OTHER"])).toEqual([
    "just-a-text",
    "also a text",
  ]);
});

test("finds the password inside an address", () => {
  expect(redactions({ DATABASE_URL: "postgres://me:pass%20word9@db:5432/x" }, {}, [])).toEqual(["pass word9"]);
});

test("takes what looks random in a .env file as secret, and leaves words and addresses", () => {
  const dotenv = {
    A: "Zx81kQ04Jw3Lm5Np7Rs9Tu",
    B: "http://localhost:3000/path1",
    C: "development",
    D: "./some/path/to/file1",
  };
  expect(redactions({}, dotenv, [])).toEqual(["Zx81kQ04Jw3Lm5Np7Rs9Tu"]);
});
