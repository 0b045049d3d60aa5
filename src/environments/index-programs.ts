/*
 * Programs that ask the index of a language about one package, beside `wanted.json` (name, range). They run in the
 * sandbox, install nothing, and print one line of JSON. Only a package manager knows which release a range means, so it
 * is asked; what it does not tell (age, other releases) is read from the page of the package.
 */

export const ASK_PYTHON = `
import json, os, re, subprocess, sys, urllib.error, urllib.request
with open("wanted.json") as file:
    wanted = json.load(file)
plain = re.sub(r"[-_.]+", "-", wanted["name"]).lower()
said = {"status": 0, "version": None, "licence": None, "released": None, "releases": 0, "remarks": []}
# As pip asks: what the mirror has kept for one of them serves both.
accept = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01"

def page():
    request = urllib.request.Request(os.environ["PIP_INDEX_URL"] + plain + "/", headers={"Accept": accept})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read(64 << 20).decode("utf-8", "replace")
            said["status"] = answer.status
    except urllib.error.HTTPError as error:
        said["status"] = error.code
        return []
    if text.lstrip().startswith("{"):
        return json.loads(text)["files"]
    return [{"filename": name} for name in re.findall(r">\\s*([^<>]+?)\\s*</a>", text)]

def version_of(name):
    if name.endswith(".whl"):
        return name.split("-")[1]
    found = re.search(r"-(\\d[^-]*?)\\.(tar\\.\\w+|tgz|zip|egg)$", name)
    return found and found[1]

def licence_of(metadata):
    stated = (metadata.get("license_expression") or metadata.get("license") or "").strip().split("\\n")[0]
    classes = [one.split(" :: ")[-1] for one in metadata.get("classifier", []) if one.startswith("License ::")]
    return stated if stated and len(stated) <= 80 else ", ".join(classes) or None

files = page()
if files:
    said["releases"] = len({version_of(one["filename"]) for one in files} - {None})
    asked = [sys.executable, "-m", "pip", "install", "-q", "--no-input", "--dry-run", "--ignore-installed", "--no-deps"]
    ran = subprocess.run([*asked, "--report", "report.json", wanted["name"] + wanted["range"]])
    if ran.returncode == 0:
        with open("report.json") as file:
            metadata = json.load(file)["install"][0]["metadata"]
        said["version"] = metadata["version"]
        said["licence"] = licence_of(metadata)
        own = [one for one in files if version_of(one["filename"]) == metadata["version"]]
        said["released"] = min((one["upload-time"] for one in own if one.get("upload-time")), default=None)
        if any(one.get("yanked") for one in own):
            said["remarks"].append("this release was withdrawn by its authors")
print(json.dumps(said))
`;

export const ASK_NODE = `
const { readFileSync } = require("node:fs");
const { spawnSync } = require("node:child_process");
const { name, range } = JSON.parse(readFileSync("wanted.json", "utf8"));
const asked = ["view", range === "" ? name : name + "@" + range, "--json"];
const { stdout } = spawnSync("npm", asked, { encoding: "utf8", maxBuffer: 256 << 20, stdio: ["ignore", "pipe", "inherit"] });
const answer = stdout.trim() === "" ? {} : JSON.parse(stdout);
// Several releases fit: they come in the order of the registry, which need not be that of their numbers.
const parts = ({ version }) => version.split("-")[0].split(".").map(Number);
const newer = (one, other) => parts(one).map((part, at) => part - parts(other)[at]).find((by) => by !== 0) ?? 0;
const stable = (one) => Number(!one.version.includes("-"));
const found = (Array.isArray(answer) ? answer : [answer]).sort((one, other) => stable(one) - stable(other) || newer(one, other)).at(-1) ?? {};
const status = found.error ? Number(/^E(\\d+)$/.exec(found.error.code ?? "")?.[1] ?? 0) : 200;
const { license } = found;
console.log(JSON.stringify({
  // It has the package, and no release that fits.
  status: status === 404 && /No match found for version/.test(found.error.summary ?? "") ? 200 : status,
  version: found.version ?? null,
  licence: (typeof license === "string" ? license : license?.type) ?? null,
  released: found.time?.[found.version] ?? null,
  releases: (found.versions ?? []).length,
  remarks: found.deprecated ? ["its authors advise against it: " + String(found.deprecated).slice(0, 120)] : [],
}));
`;
