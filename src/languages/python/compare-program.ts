import { CODE_MEANING } from "./code-meaning.ts";

/**
 * Compiles each mutant and compares it with the original and with the mutants before it: one letter each on stdout,
 * `s`ame as the original, `t`win of another mutant, `d`ifferent, `b`roken. No code of the project runs in this process.
 */
export const COMPARE_PROGRAM = `
import hashlib, json, sys
${CODE_MEANING}
def compiled(source):
    try:
        return hashlib.sha256(repr(meaning(compile(source, "module", "exec", dont_inherit=True))).encode()).digest()
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None

asked = json.load(sys.stdin)
sources = {path: text.encode("utf-8", "surrogatepass") for path, text in asked["originals"].items()}
originals = {path: compiled(source) for path, source in sources.items()}
seen = set()
for one in asked["mutants"]:
    source = sources[one["path"]]
    mutated = compiled(source[:one["from"]] + one["replacement"].encode() + source[one["to"]:])
    key = (one["path"], mutated)
    sys.stdout.write(
        "b" if mutated is None else "s" if mutated == originals[one["path"]] else "t" if key in seen else "d")
    seen.add(key)
`;
