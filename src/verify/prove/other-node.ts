import { z } from "zod";
import { readJson } from "../../domain/json.ts";
import { majorVersion } from "../../domain/major-version.ts";

const Manifest = z.object({ engines: z.object({ node: z.string() }) });

/** Where a project that wants another Node says so; JavaScript is run by the one that comes with Miracle. */
export function otherNode(version: string | undefined, read: (path: string) => string | null): string[] {
  const major = majorVersion(version ?? "");
  if (major === null) return [];
  const manifest = Manifest.safeParse(readJson(read("package.json") ?? ""));
  const wanted = [
    ...[".nvmrc", ".node-version"].map((path) => [path, (read(path) ?? "").trim()] as const),
    ["engines of package.json", manifest.data?.engines.node ?? ""] as const,
  ];
  const other = wanted.find(([, range]) => range !== "" && admits(range, major) === false);
  return other
    ? [`the tests of JavaScript ran on Node ${version}, which comes with Miracle; ${other[0]} asks for ${other[1]}`]
    : [];
}

/** Whether a range of versions has some of this major one; null where it is said in other words (`lts/*`). */
export function admits(range: string, major: number): boolean | null {
  const parts = range
    .split("||")
    .map((part) => part.replace(/(\S+)\s+-\s+(\S+)/, ">=$1 <=$2").replace(/([<>=^~])\s+/g, "$1"))
    .map((part) => part.split(/\s+/).filter((one) => one !== ""))
    .map((part) => part.map((one) => meets(one, major)));
  if (parts.flat().includes(null)) return null;
  return parts.some((part) => part.every((one) => one === true));
}

function meets(comparator: string, major: number): boolean | null {
  if (/^[xX*]$/.test(comparator)) return true;
  const [, sign = "", number = "", rest = ""] = /^(>=|<=|>|<|\^|~|=)?v?(\d+)(\.[\w.*-]+)?$/.exec(comparator) ?? [];
  if (number === "") return null;
  const isWhole = !/[1-9]/.test(rest);
  if (sign === ">=") return major >= Number(number);
  if (sign === ">") return rest === "" ? major > Number(number) : major >= Number(number);
  if (sign === "<") return isWhole ? major < Number(number) : major <= Number(number);
  return sign === "<=" ? major <= Number(number) : major === Number(number);
}
