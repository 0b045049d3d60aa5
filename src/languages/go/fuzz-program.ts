/** All targets of a run share this time; the inputs that a test names itself ran before as tests. */
const SECONDS = 5;
const MOST_TARGETS = 5;

/** What a run is told to fuzz: the targets of these files. */
export const fuzzEnvironment = (files: readonly string[]): Record<string, string> =>
  files.length === 0 ? {} : { MIRACLE_FUZZ: files.join("\n") };

/**
 * A part of the test program. Each target that is green with its own inputs gets others, guided by the lines of this
 * module that they reach. Only a failure is told, with the smallest input that was found; nothing is left behind. Other
 * packages are not compiled anew for it, which takes longer than the search.
 */
export const FUZZ = `
targets=$(for file in $MIRACLE_FUZZ; do
  printf '%s\\n' "$listed" | awk -F'\\t' -v file="$file" '$3 == file && $4 ~ /^Fuzz/'
done | head -n ${MOST_TARGETS})
each=$((${SECONDS} / $(printf '%s\\n' "$targets" | wc -l)))
built=
for line in $targets; do
  package=$(printf %s "$line" | cut -f2)
  place=$(dirname "$(printf %s "$line" | cut -f3)")
  name=$(printf %s "$line" | cut -f4)
  grep -qE "\\"Action\\":\\"pass\\",\\"Package\\":\\"$package\\",\\"Test\\":\\"$name\\"" "$report" || continue
  if [ "$built" != "$package" ]; then
    go test -c -vet=off '-gcflags=./...=-d=libfuzzer' -o /tmp/fuzz.test "$package" > /dev/null 2>&1 || continue
    built=$package
  fi
  corpus=testdata/fuzz/$name
  (
    cd "$place" || exit
    ls "$corpus" > /tmp/fuzz.before 2>/dev/null
    timeout -k 1 $((each + 5)) /tmp/fuzz.test '-test.run=^$' "-test.fuzz=^$name\\$" -test.fuzzcachedir=/tmp/fuzz.cache \\
      "-test.fuzztime=\${each}s" -test.fuzzminimizetime=2s -test.parallel=2 > /tmp/fuzz.out 2>&1
    for new in $(ls "$corpus" 2>/dev/null | grep -vxFf /tmp/fuzz.before); do
      tail -n +2 "$corpus/$new" | head -c 2000 | paste -sd' ' - > /tmp/fuzz.input
      rm -f "$corpus/$new"
    done
    rmdir -p "$corpus" 2>/dev/null
  )
  if grep -qF -- "--- FAIL: $name " /tmp/fuzz.out && [ -s /tmp/fuzz.input ]; then
    {
      sed -n '/^--- FAIL: /,$p' /tmp/fuzz.out | sed '/^ *Failing input written to /,$d'
      printf '    fails with the input %s\\nFAIL\\n' "$(cat /tmp/fuzz.input)"
    } | go tool test2json -p "$package" >> "$report"
    code=1
  fi
  rm -f /tmp/fuzz.input
done
`;
