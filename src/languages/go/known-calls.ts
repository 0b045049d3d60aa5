/** The least that can be said of what has a length. */
export const ANY_LIST = "[]any";

const BASIC = /^(bool|byte|rune|string|error|any|u?int(8|16|32|64)?|float(32|64))$/;

/** What a function of Go's own packages, or of testify, wants at this place; null where it takes anything. */
export function argumentType(called: string, index: number): string | null {
  if (called === "len" || called === "cap") return ANY_LIST;
  if (called === "httptest.NewServer") return "http.Handler";
  if (called === "http.HandlerFunc") return "func(http.ResponseWriter, *http.Request)";
  if (/^errors\.(Is|As|Unwrap)$/.test(called)) return index === 0 ? "error" : null;
  if (/^(assert|require)\.(True|False)/.test(called)) return "bool";
  if (/^(assert|require)\.(No)?Error/.test(called)) return "error";
  if (/^math\./.test(called)) return "float64";
  if (/^(strings\.Join|sort\.Strings)$/.test(called)) return index === 0 ? "[]string" : "string";
  if (called === "sort.Ints") return "[]int";
  if (/^strings\.(Repeat|SplitN)$/.test(called)) return index === 0 ? "string" : null;
  if (called === "strconv.Itoa") return "int";
  return /^(strings|strconv)\.(?!Format)/.test(called) ? "string" : null;
}

/** What such a function gives, as far as tests use it to say what they expect. */
export function callType(called: string): string | null {
  if (BASIC.test(called)) return called;
  if (/^(len|cap|strings\.(Count|Index))$/.test(called)) return "int";
  if (/^(errors\.New|fmt\.Errorf)$/.test(called)) return "error";
  if (/^(fmt\.Sprint(f|ln)?|strconv\.\w+|strings\.(Repeat|ToUpper|ToLower|Join|TrimSpace|Replace\w*))$/.test(called))
    return "string";
  return /^math\.[A-Z]\w*$/.test(called) ? "float64" : called === "time.Date" ? "time.Time" : null;
}
