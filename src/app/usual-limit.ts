import type { Settings } from "../domain/settings/settings.ts";
import { priceOf } from "../llm/prices.ts";

/** Dollars: more than nearly every goal takes, and little enough to be annoyed about rather than hurt by. */
const USUAL_DOLLARS = 10;

/**
 * A limit where a key pays and the person named none. `--max-cost none` means none. A model without a price is left alone:
 * under a limit it could not be asked at all.
 */
export function withUsualLimit(settings: Settings, { maxCost }: { maxCost?: number }): Settings {
  const { limits, models, prices } = settings;
  if (maxCost !== undefined || limits.maxCostMicros !== null) return settings;
  const known = Object.values(models)
    .flatMap((role) => role.models)
    .map((model) => priceOf(model, prices));
  const pays = known.every((price) => price !== undefined) && known.some((price) => price.input + price.output > 0);
  return pays ? { ...settings, limits: { ...limits, maxCostMicros: USUAL_DOLLARS * 1_000_000 } } : settings;
}
