import { parseDuration } from "../../config/duration.ts";
import { type ParseSetting, SettingError } from "../../config/parse-setting.ts";

export const DAY_MS = 86_400_000;

/** As a duration, and days: 30d, 12h. In milliseconds. */
export const ageSetting: ParseSetting<number> = (text) => {
  const days = /^(\d+)d$/.exec(text)?.[1];
  const milliseconds = days === undefined ? parseDuration(text) : Number(days) * DAY_MS;
  if (milliseconds === undefined) throw new SettingError(`expected an age like 30d or 12h, got "${text}"`);
  return milliseconds;
};
