import { LocalWire, type Wire } from "../bus/wire.ts";

export interface WirePlace {
  env: Record<string, string | undefined>;
  databaseUrl?: string | undefined;
}

/** Redis where it is named, else the database server that all processes share, else nothing but this process. */
export async function chooseWire({ env, databaseUrl }: WirePlace, report: (error: unknown) => void): Promise<Wire> {
  const redis = redisUrl(env);
  if (redis !== undefined) {
    const { RedisWire } = await import("../bus/redis-wire.ts");
    return new RedisWire(redis, report);
  }
  if (databaseUrl === undefined) return new LocalWire();
  const { PostgresWire } = await import("../store/postgres-wire.ts");
  return new PostgresWire(databaseUrl);
}

function redisUrl({ REDIS_URL, REDIS_HOST, REDIS_PORT }: WirePlace["env"]): string | undefined {
  if (REDIS_URL) return REDIS_URL;
  return REDIS_HOST ? `redis://${REDIS_HOST}:${REDIS_PORT || "6379"}` : undefined;
}
