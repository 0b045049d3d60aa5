// In the bundle it stands for what the SDK of MCP takes from its surroundings: see `withoutAjv` in build.mjs.
export { default as process } from "node:process";

/** Of a form that a person has filled in, `src/mcp/serve.ts` reads what fits its own shape, whatever is said here. */
export class DefaultJsonSchemaValidator {
  getValidator() {
    return (data) => ({ valid: true, data, errorMessage: undefined });
  }
}
