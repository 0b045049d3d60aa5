import { type Failure, TerminalFailure } from "../src/domain/failure.ts";
import type { Provider } from "../src/domain/settings/settings.ts";
import { type ModelServer, type Script, startModelServer } from "./model-server.ts";
import { openTestModel, type TestModel, type TestModelOptions } from "./open-test-model.ts";

/** A test model whose only provider, `local`, is a scripted server of this process. */
export async function serveModel(
  script: Script,
  options: Partial<TestModelOptions> & { provider?: Partial<Provider> } = {},
): Promise<TestModel & { server: ModelServer }> {
  const server = await startModelServer(script);
  const model = await openTestModel({
    providers: { local: { baseUrl: server.baseUrl, keyVariable: "KEY", ...options.provider } },
    models: ["local/first"],
    keys: { KEY: "secret-key" },
    ...options,
  });
  return {
    ...model,
    server,
    [Symbol.asyncDispose]: async () => {
      await model[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

/** The failure a promise ends with; anything else it throws is a broken test. */
export function failureOf(promise: Promise<unknown>): Promise<Failure> {
  return promise.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => (error instanceof TerminalFailure ? error.failure : Promise.reject(error)),
  );
}
