import type { Configuration } from "../config/load-config.ts";
import { packageRoot } from "../config/package-root.ts";
import { readPrompts } from "../config/prompts.ts";
import type { Role } from "../domain/message.ts";
import type { Settings } from "../domain/settings/settings.ts";
import type { TaskRequest } from "../domain/task/task.ts";
import { checkBeforehand } from "./check-beforehand.ts";
import { checkedGoal } from "./checked-goal.ts";
import { detectedTemplate } from "./detect-type.ts";
import type { Followed } from "./go-on-from.ts";
import { resolveSettings } from "./resolve-settings.ts";
import type { TemplatePlace } from "./use-template.ts";
import { withUsualLimit } from "./usual-limit.ts";

interface WantedGoal {
  goal: string;
  directory: string;
  apply: boolean;
  /** The task whose result it goes on from. */
  past?: (Followed & { parent: string }) | undefined;
}

interface PreparedGoal {
  request: TaskRequest;
  settings: Settings;
  prompts: Record<Role, string>;
  /** To be called as soon as the task has its id. */
  handOver(task: string): void;
}

/** What a goal is started with where nobody types flags: the settings of its directory say everything else. */
export async function prepareGoal(
  place: TemplatePlace,
  config: Configuration,
  { goal: words, directory, apply, past }: WantedGoal,
): Promise<PreparedGoal> {
  const goal = checkedGoal(words);
  const settings = withUsualLimit(past ? { ...config.settings, ...past.models } : resolveSettings(config), {});
  await checkBeforehand(directory, goal, { direct: settings.direct, isPlanned: false, writesFiles: apply });
  const shipped = readPrompts(packageRoot(), config.promptOverrides);
  const typed = settings.direct ? null : await detectedTemplate(place, goal, directory, config, shipped);
  return {
    request: {
      goal,
      ...typed?.request,
      directory,
      attachments: [],
      apply,
      ...(past && { parent: past.parent, earlier: past.earlier }),
      ...(past?.startTree !== undefined && { startTree: past.startTree }),
    },
    settings,
    prompts: typed?.prompts ?? shipped,
    handOver: (task) => typed?.used?.handOver(task),
  };
}
