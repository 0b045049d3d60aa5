import { SOW } from "./build-cache.ts";
import { FUZZ } from "./fuzz-program.ts";

/**
 * Runs inside the sandbox. `go test` knows packages and no files: so it is first asked which test files there are, and
 * their tests are listed before its own lines. A test that panics takes the rest of its package down: what did not run
 * for that is run again by itself.
 */
export const GO_TEST_PROGRAM = `
set -f
IFS='
'
${SOW}
report=$MIRACLE_REPORT
root=$(pwd)
for file; do
  [ -e "$file" ] || { echo "$file: there is no such file" >&2; exit 2; }
done
if [ $# -eq 0 ]; then where=./...; else where=$(for file; do echo "./$(dirname "$file")"; done | sort -u); fi

template='{{$d := .Dir}}{{$p := .ImportPath}}{{range .TestGoFiles}}{{$p}}	{{$d}}/{{.}}{{"\\n"}}{{end}}{{range .XTestGoFiles}}{{$p}}	{{$d}}/{{.}}{{"\\n"}}{{end}}'
listed=$(go list -e -f "$template" $where 2>/dev/null | while IFS='	' read -r package file; do
  [ -n "$file" ] && sed -nE "s!^func ((Test|Fuzz|Example)([^a-z(][^(]*)?)\\(.*!listed	$package	\${file#"$root"/}	\\1!p" "$file"
done | grep -v '	TestMain$')
printf 'module	%s\\n%s\\n' "$(go list -m 2>/dev/null)" "$listed" > "$report"

wanted=$listed
if [ $# -gt 0 ]; then
  wanted=$(for file; do printf '%s\\n' "$listed" | awk -F'\\t' -v file="$file" '$3 == file'; done)
  names=$(printf '%s\\n' "$wanted" | cut -f4 | sort -u | paste -sd'|' -)
  only="-run=^($names)\\$"
else only=-run=.; fi

options="-json
-vet=off
-count=1
-timeout=0"
[ -n "$MIRACLE_ORDER_SEED" ] && options="$options
-shuffle=$MIRACLE_ORDER_SEED"
go test $options "$only" $where >> "$report"
code=$?

if [ $code -ne 0 ] && grep -q '"Output":"panic: ' "$report"; then
  left=40
  built=
  for line in $wanted; do
    package=$(printf %s "$line" | cut -f2)
    place=$(dirname "$(printf %s "$line" | cut -f3)")
    name=$(printf %s "$line" | cut -f4)
    case $name in Example*) continue ;; esac
    grep -qE "\\"Action\\":\\"(pass|fail|skip)\\",\\"Package\\":\\"$package\\",\\"Test\\":\\"$name\\"" "$report" && continue
    grep -qF "\\"Package\\":\\"$package\\",\\"Test\\":" "$report" || continue
    [ $left -gt 0 ] || break
    left=$((left - 1))
    [ "$built" = "$package" ] || go test -c -vet=off -o /tmp/again.test "$package" || break
    built=$package
    (cd "$place" && go tool test2json -p "$package" /tmp/again.test -test.v=true "-test.run=^$name\\$") >> "$report"
  done
fi

if [ -n "$MIRACLE_FUZZ" ]; then
${FUZZ}
fi

if [ -n "$MIRACLE_TRACE_OUT" ]; then
  mkdir -p "$MIRACLE_TRACE_OUT"
  number=0
  built=
  for line in $wanted; do
    package=$(printf %s "$line" | cut -f2)
    file=$(printf %s "$line" | cut -f3)
    name=$(printf %s "$line" | cut -f4)
    number=$((number + 1))
    [ $number -gt 300 ] && break
    if [ "$built" != "$package" ]; then
      built=$package
      go test -c -vet=off -cover -coverpkg=./... -o /tmp/traced.test "$package" > /dev/null 2>&1 || { rm -f /tmp/traced.test; continue; }
    fi
    [ -x /tmp/traced.test ] || continue
    (cd "$(dirname "$file")" && /tmp/traced.test "-test.run=^$name\\$" -test.coverprofile=/tmp/profile > /dev/null 2>&1)
    [ -e /tmp/profile ] && { printf 'module	%s\\ntest	%s::%s\\n' "$(go list -m)" "$file" "$name"; cat /tmp/profile; } > "$MIRACLE_TRACE_OUT/$number"
    rm -f /tmp/profile
  done
fi
printf 'ended	%s\\n' "$code" >> "$report"
exit $code
`;
