import type { Price } from "../domain/settings.ts";
import type { Amount } from "./model.ts";
import type { RawUsage } from "./provider-model.ts";

/** The price of `provider/name`: the exact key, or else the longest key that ends in `*` and fits. */
export function priceOf(model: string, prices: Record<string, Price>): Price | undefined {
  if (Object.hasOwn(prices, model)) return prices[model];
  const fitting = Object.keys(prices)
    .filter((key) => key.endsWith("*") && model.startsWith(key.slice(0, -1)))
    .sort((a, b) => b.length - a.length);
  return fitting[0] === undefined ? undefined : prices[fitting[0]];
}

/** What a call cost. A dollar per million tokens is one micro-dollar per token, so prices multiply directly. */
export function amountOf(usage: RawUsage, price: Price | undefined): Amount {
  const tokens = usage.inputTokens + usage.outputTokens;
  if (!price) return { costMicros: 0, tokens };
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens, usage.inputTokens - cached);
  const plain = usage.inputTokens - cached - written;
  const cost =
    plain * price.input +
    cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    usage.outputTokens * price.output;
  return { costMicros: roundUp(cost), tokens };
}

/** The most a request can cost: no tokenizer makes more tokens than there are bytes, and none of them is sure to be cached. */
export function worstCase(promptBytes: number, maxOutputTokens: number, price: Price | undefined): Amount {
  const tokens = promptBytes + maxOutputTokens;
  if (!price) return { costMicros: 0, tokens };
  const dearest = Math.max(price.input, price.cachedInput ?? 0, price.cacheWrite ?? 0);
  return { costMicros: roundUp(promptBytes * dearest + maxOutputTokens * price.output), tokens };
}

/** Up, but not because of the last bits of a floating-point product. */
const roundUp = (micros: number) => Math.ceil(Number(micros.toPrecision(12)));
