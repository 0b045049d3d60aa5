/**
 * Names that mean the same in every project: types, values and things of the languages and of common libraries. They
 * are kept in quotes. Any other quoted name belongs to one project and means nothing elsewhere.
 */
const KNOWN_NAMES: ReadonlySet<string> = new Set(
  `
  NoneType str int float bool bytes bytearray list dict set frozenset tuple object type function method generator coroutine
  module builtin_function_or_method range slice property None True False self cls len iter next append extend items keys
  values get split strip join format encode decode read write close open await async yield return lambda import from
  __init__ __main__ __getitem__ __len__ __iter__ __enter__ __exit__ __call__ __name__ utf-8 ascii latin-1 charmap
  datetime date timedelta Decimal UUID Path PosixPath ndarray DataFrame Series Tensor Response Session Request
  undefined null string number boolean symbol bigint never unknown any void Promise Array Object Map Set Date Function
  Error Buffer this length map filter reduce forEach push then catch require exports default constructor prototype
  window document process global globalThis useState useEffect children props key ref JSX.Element ReactNode Element HTMLElement
  Event Record Partial ReadonlyArray readonly keyof typeof enum class namespace
  nil error interface struct func chan byte rune int64 int32 uint8 uint float64 context.Context time.Duration time.Time
  io.Reader io.Writer http.ResponseWriter http.Request bytes.Buffer strings.Builder sync.Mutex sync.WaitGroup String Error
  numpy np pandas pd requests flask django fastapi pydantic sqlalchemy pytest asyncio aiohttp httpx celery redis boto3 torch
  tensorflow sklearn scipy matplotlib click typer jinja2 werkzeug yaml json os sys re math collections typing distutils
  pkg_resources setuptools imp
  react react-dom next express koa fastify vue svelte angular axios lodash jest vitest mocha chai webpack vite rollup esbuild
  typescript eslint prettier prisma mongoose sequelize typeorm knex pg mysql2 zod node fs path http https crypto stream events
  gin gorm echo chi cobra viper zap testify grpc protobuf
  `
    .trim()
    .split(/\s+/),
);

/** True for a quoted type of known names alone, such as `string | undefined`, `*http.Request` or `List[str]`. */
export function isKnown(quoted: string): boolean {
  if (KNOWN_NAMES.has(quoted)) return true;
  if (quoted.length > 80) return false;
  const names = quoted.match(/[A-Za-z_][\w.-]*/g);
  return names !== null && names.length <= 6 && names.every((name) => KNOWN_NAMES.has(name));
}
