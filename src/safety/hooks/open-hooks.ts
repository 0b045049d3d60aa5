import type { Hook } from "../../domain/settings/safety-settings.ts";
import type { HookAnswer } from "./ask-hook.ts";
import type { HookCall, HookReview, HookRuling, Hooks } from "./hooks.ts";

/** The hooks of the person's own config. Without any, nothing is loaded. */
export function openHooks(hooks: Hook[], env: Record<string, string | undefined>): Hooks {
  const meant = (when: Hook["when"], tool: string) =>
    hooks.filter((hook) => hook.when === when && (hook.tools.length === 0 || hook.tools.includes(tool)));
  const ask = async (hook: Hook, call: HookCall, more: object, signal: AbortSignal): Promise<HookAnswer> => {
    const { askHook } = await import("./ask-hook.ts");
    const { tool, arguments: args, role, task, directory } = call;
    const question = { when: hook.when, tool, arguments: args, role, task, directory, ...more };
    return askHook(hook, question, { env, signal });
  };
  return {
    async before(call, signal): Promise<HookRuling> {
      for (const hook of meant("before", call.tool)) {
        const { decision, reason } = await ask(hook, call, {}, signal);
        if (decision !== "allow") return { decision, hook: hook.command.join(" "), reason };
      }
      return { decision: "allow" };
    },
    async after(call, result, signal): Promise<HookReview> {
      const notes: string[] = [];
      for (const hook of meant("after", call.tool)) {
        const { decision, reason } = await ask(hook, call, { result }, signal);
        // It has happened: there is nothing left to ask for.
        if (decision !== "allow") return { decision: "deny", hook: hook.command.join(" "), reason };
        if (reason !== "") notes.push(reason);
      }
      return { decision: "allow", note: notes.join("\n") };
    },
  };
}
