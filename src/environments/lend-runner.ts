/**
 * Shows the test runner of the interpreter inside an environment whose manifest names none: pytest and Hypothesis, what
 * they need, and nothing else of that interpreter. Links only, so that the runner is the one that is installed. A package
 * that brings a module of the runner's name is refused: the runner decides what a test says.
 */
export const LEND_RUNNER = `
import importlib.metadata as metadata, os, re, sys

site = sys.argv[1]
plain = lambda name: re.sub(r"[-_.]+", "-", name).lower()
own = {plain(found.metadata["Name"] or "") for found in metadata.distributions(path=[site])}
# No package may write over a file of the runner's own, where the manifest names one.
judges = {"pytest", "pluggy", "iniconfig", "hypothesis"}
owners = {}
for found in metadata.distributions(path=[site]):
    name = plain(found.metadata["Name"] or "")
    for file in found.files or []:
        path = os.path.normpath(str(file))
        if path.endswith(".pyc"):
            continue
        if owners.setdefault(path, name) != name and judges & {name, owners[path]}:
            sys.exit(f"SHADOWED {path}")
waiting = ["pytest", "hypothesis"]
while waiting:
    name = waiting.pop(0)
    if plain(name) in own:
        continue
    own.add(plain(name))
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        continue
    for needed in found.requires or []:
        if "extra ==" not in needed:
            waiting.append(re.match(r"[\\w.-]+", needed).group())
    tops = {file.parts[0] for file in found.files or []} | set((found.read_text("top_level.txt") or "").split())
    root = os.path.dirname(str(found._path))
    for top in sorted(tops) or [name]:
        for entry in (top, top + ".py"):
            there = os.path.join(root, entry)
            if entry.startswith((".", "__")) or entry.endswith("-info") or not os.path.exists(there):
                continue
            place = os.path.join(site, entry)
            if os.path.islink(place) and os.readlink(place) == there:
                continue
            if os.path.lexists(place):
                sys.exit(f"SHADOWED {entry}")
            os.symlink(there, place)
    os.symlink(str(found._path), os.path.join(site, os.path.basename(str(found._path))))
program = os.path.join(os.path.dirname(sys.argv[2]), "pytest")
if not os.path.lexists(program):
    with open(program, "w") as file:
        file.write('#!/bin/sh\\nexec "$(dirname "$0")/python3" -m pytest "$@"\\n')
    os.chmod(program, 0o755)
`;
