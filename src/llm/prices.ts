import { ofModel } from "../domain/settings/by-model.ts";
import type { Price } from "../domain/settings/settings.ts";
import type { Amount } from "./model.ts";
import type { RawUsage } from "./provider-model.ts";

export const priceOf = (model: string, prices: Record<string, Price>): Price | undefined => ofModel(model, prices);

/** The cost of a call. A dollar per million tokens is one micro-dollar per token, so prices multiply directly. */
export function amountOf(usage: RawUsage, price: Price | undefined): Amount {
  const tokens = usage.inputTokens + usage.outputTokens;
  if (!price) return { costMicros: 0, tokens };
  const { longContext } = price;
  const rates = longContext && usage.inputTokens > longContext.above ? longContext : price;
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  // If the server does not report cache writes, it may have written everything that it did not read from the cache.
  const written = Math.min(usage.cacheWriteTokens ?? usage.inputTokens, usage.inputTokens - cached);
  const plain = usage.inputTokens - cached - written;
  const cost =
    plain * rates.input +
    cached * (rates.cachedInput ?? rates.input) +
    written * (rates.cacheWrite ?? rates.input) +
    usage.outputTokens * rates.output;
  return { costMicros: roundUp(cost), tokens };
}

/**
 * The highest possible cost of a request. No tokenizer makes more tokens than there are bytes, and no token is sure to
 * be cached.
 */
export function worstCase(promptBytes: number, maxOutputTokens: number, price: Price | undefined): Amount {
  const tokens = promptBytes + maxOutputTokens;
  if (!price) return { costMicros: 0, tokens };
  const { longContext } = price;
  const possible = longContext && promptBytes > longContext.above ? [price, longContext] : [price];
  const costs = possible.map((rates) => {
    const dearest = Math.max(rates.input, rates.cachedInput ?? 0, rates.cacheWrite ?? 0);
    return roundUp(promptBytes * dearest + maxOutputTokens * rates.output);
  });
  return { costMicros: Math.max(...costs), tokens };
}

/** Rounds up, but ignores the last bits of a floating-point product. */
const roundUp = (micros: number) => Math.ceil(Number(micros.toPrecision(12)));
