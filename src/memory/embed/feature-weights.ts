/** A feature's counter is found by its hash; two features on one counter look more frequent than they are, no more. */
const COUNTERS = 1 << 15;

/**
 * In how many records each feature occurs: a rare one says more. Learnt from what is stored, with a version, since
 * vectors made with other weights cannot be compared.
 */
export class FeatureWeights {
  readonly version: number;
  readonly records: number;
  readonly #counts: Uint32Array;

  constructor(version: number, records: number, counts: Uint32Array) {
    this.version = version;
    this.records = records;
    this.#counts = counts;
  }

  /** Before anything is learnt, all weigh the same. */
  static readonly none = new FeatureWeights(0, 0, new Uint32Array(COUNTERS));

  static learn(version: number, records: Iterable<ReadonlySet<number>>): FeatureWeights {
    const counts = new Uint32Array(COUNTERS);
    let total = 0;
    for (const features of records) {
      total += 1;
      for (const counter of new Set([...features].map(counterOf))) counts[counter] = (counts[counter] ?? 0) + 1;
    }
    return new FeatureWeights(version, total, counts);
  }

  /** Smooth: what was never seen is not infinitely telling. */
  of(feature: number): number {
    if (this.records === 0) return 1;
    return Math.log((this.records + 2) / ((this.#counts[counterOf(feature)] ?? 0) + 1));
  }

  /** In which share of all records it occurs; what was never seen occurs in fewer than one. */
  share(feature: number): number {
    return this.records === 0 ? 1 : ((this.#counts[counterOf(feature)] ?? 0) + 0.5) / (this.records + 1);
  }

  toBytes(): Uint8Array {
    return new Uint8Array(this.#counts.buffer.slice(0));
  }

  static fromBytes(version: number, records: number, bytes: Uint8Array): FeatureWeights {
    return new FeatureWeights(version, records, new Uint32Array(new Uint8Array(bytes).buffer));
  }
}

const counterOf = (feature: number): number => feature & (COUNTERS - 1);
