// In the bundle it stands for what the SDK of MCP takes from its surroundings: see `withoutAjv` in build.mjs.
export { default as process } from "node:process";
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
