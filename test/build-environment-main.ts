// Builds the environment of a requirements.txt in a process of its own, so that a test can end it.
import { openLanguages } from "../src/languages/open-languages.ts";
import { openEnvironmentsIn, treeOf } from "./environment-place.ts";
import { indexSandbox } from "./package-index.ts";

const [root = "", port = "", requirements = ""] = process.argv.slice(2);
await using sandbox = indexSandbox(root);
const environments = openEnvironmentsIn(root, Number(port), sandbox);
const tree = treeOf({ "requirements.txt": requirements });
console.log(JSON.stringify(await environments.house(openLanguages().named("python"), `${root}/project`, tree)));
