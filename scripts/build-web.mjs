// Bundles web/ into a folder: one script, one style sheet, and what is loaded only when it is needed.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

/**
 * Answers with the files that went into it. Files under assets/ have their content's hash in their names: browsers may
 * keep them for good.
 */
export async function buildWeb(rolldown, directory) {
  mkdirSync(`${directory}/assets`, { recursive: true });
  const build = await rolldown.rolldown({
    input: { page: "web/main.tsx" },
    platform: "browser",
    transform: { target: "es2023", jsx: { runtime: "automatic" } },
  });
  const { output } = await build.write({
    dir: `${directory}/assets`,
    format: "es",
    minify: true,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await build.close();
  const script = output.find((chunk) => chunk.type === "chunk" && chunk.isEntry)?.fileName;
  const page = readFileSync("web/index.html", "utf8")
    .replace("STYLE", `assets/${writeStyle(`${directory}/assets`)}`)
    .replace("SCRIPT", `assets/${script}`);
  writeFileSync(`${directory}/index.html`, page);
  copyFileSync("web/icon.svg", `${directory}/icon.svg`);
  return output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
}

/** In the order of their names; layers say what wins. */
function writeStyle(directory) {
  const sheets = readdirSync("web/style").sort();
  const text = sheets.map((name) => readFileSync(`web/style/${name}`, "utf8")).join("\n");
  const small = text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\n\s*/g, "\n")
    .replace(/\n+/g, "\n");
  const name = `page-${createHash("sha256").update(small).digest("hex").slice(0, 8)}.css`;
  writeFileSync(`${directory}/${name}`, small.trimStart());
  return name;
}
