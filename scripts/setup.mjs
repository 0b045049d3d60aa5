// Brings what `npm test` and `npm run demo` need, or says exactly what to install. Silent and fast when all is there.
// With --npm only what npm brings: the fast part of the suite needs nothing else. With --browser one to test the page
// with, if it can be had: without it these tests are skipped.
// Runs on any Node from 20 on, before any dependency is installed: built-in modules only.
import { spawnSync } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

// Node 24 is one of them, optional because each kind of machine has its own package.
if (!dependenciesAreCurrent() || !projectNodeWorks()) {
  say("installing the npm dependencies of package-lock.json");
  run("npm", ["ci", "--no-audit", "--no-fund"], "npm ci failed: see its output above");
}
if (!projectNodeWorks())
  stop("npm did not bring Node 24: run `npm ci --include=optional`, or install Node 24 yourself");
const missing = process.argv.includes("--npm") ? [] : missingPackages();
if (missing.length > 0) installByApt(missing);
if (process.argv.includes("--browser") && !hasBrowser()) installBrowser();

/** The lockfile npm leaves in node_modules tells what is really there; an interrupted install leaves none. */
function dependenciesAreCurrent() {
  const wanted = packagesOf("package-lock.json");
  const present = packagesOf("node_modules/.package-lock.json");
  if (wanted === null || present === null) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || (entry.optional && present[path] === undefined)) return true;
    return present[path]?.version === entry.version && present[path]?.integrity === entry.integrity;
  });
}

function packagesOf(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, "utf8")).packages;
  } catch {
    return null;
  }
}

function projectNodeWorks() {
  return /^v24\./.test(output("node_modules/.bin/node", ["--version"]) ?? "");
}

function missingPackages() {
  const packages = [];
  if (!onPath("bwrap")) packages.push("bubblewrap");
  if (!onPath("git")) packages.push("git");
  // Debian's own interpreter, not one that happens to stand first on PATH: the sandbox sees /usr.
  const modules = { pytest: "python3-pytest", hypothesis: "python3-hypothesis" };
  const question = "import importlib.util as u, sys; print(*[m for m in sys.argv[1:] if u.find_spec(m)])";
  const found = output("/usr/bin/python3", ["-I", "-c", question, ...Object.keys(modules)]);
  if (found === null) packages.push("python3");
  const present = (found ?? "").split(/\s+/);
  for (const [name, packageName] of Object.entries(modules)) if (!present.includes(name)) packages.push(packageName);
  return packages;
}

function hasBrowser() {
  return process.env.MIRACLE_BROWSER !== undefined || onPath("chromium") || onPath("google-chrome");
}

/** Nobody needs a browser to use Miracle: where none can be installed, that is said and no more. */
function installBrowser() {
  const prefix = asRoot();
  const command = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"];
  const skipped = `there is no browser, so its tests are skipped; to have them: sudo ${command.join(" ")}`;
  if (prefix === null || !onPath("apt-get")) return say(skipped);
  const [program, ...args] = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive"];
  const simulate = () => output(program, [...args, "apt-get", "-s", ...command.slice(1)]);
  let simulated = simulate();
  if (simulated === null) {
    say("reading the package lists");
    spawnSync(program, [...args, "apt-get", "update", "-q"]);
    simulated = simulate();
  }
  if (simulated === null || /^Remv /m.test(simulated)) return say(skipped);
  say("installing chromium");
  const { status } = spawnSync(program, [...args, ...command], { stdio: ["ignore", 2, 2] });
  if (status !== 0) say(skipped);
}

function installByApt(packages) {
  const command = ["apt-get", "install", "-y", "--no-install-recommends", ...packages];
  const advice = `install them with: sudo ${command.join(" ")}`;
  if (!onPath("apt-get")) {
    const names = packages.join(", ");
    stop(`missing on this machine: ${names} (names of the Debian packages). Linux or WSL2 with bubblewrap is needed.`);
  }
  const prefix = asRoot();
  if (prefix === null) stop(`missing on this machine: ${packages.join(", ")}. Please ${advice}`);

  const apt = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive"];
  const simulate = () => output(apt[0], [...apt.slice(1), "apt-get", "-s", ...command.slice(1)]);
  let simulated = simulate();
  if (simulated === null) {
    say("reading the package lists");
    run(apt[0], [...apt.slice(1), "apt-get", "update", "-q"], "apt-get update failed: see its output above");
    simulated = simulate();
  }
  if (simulated === null) stop(`apt-get does not know how to install ${packages.join(", ")}. Please ${advice}`);
  const removed = [...simulated.matchAll(/^Remv (\S+)/gm)].map((match) => match[1]);
  if (removed.length > 0)
    stop(`apt-get would remove ${removed.join(", ")}, so nothing was installed. Please ${advice}`);

  say(`installing ${packages.join(", ")}`);
  run(apt[0], [...apt.slice(1), ...command], `apt-get failed: see its output above. Please ${advice}`);
  const still = missingPackages();
  if (still.length > 0) stop(`still missing after apt-get: ${still.join(", ")}`);
}

/** The words to put before a command so that it runs as root, or null when we may not. */
function asRoot() {
  if (process.getuid?.() === 0) return [];
  return onPath("sudo") && output("sudo", ["-n", "true"]) !== null ? ["sudo", "-n"] : null;
}

function onPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function output(program, args) {
  const result = spawnSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return result.status === 0 ? result.stdout : null;
}

/** What an installer says goes to stderr: stdout belongs to the command that follows. */
function run(program, args, problem) {
  const result = spawnSync(program, args, { stdio: ["ignore", 2, 2] });
  if (result.status !== 0) stop(problem);
}

function say(message) {
  process.stderr.write(`setup: ${message}\n`);
}

function stop(message) {
  process.stderr.write(`setup: ${message}\n`);
  process.exit(69);
}
