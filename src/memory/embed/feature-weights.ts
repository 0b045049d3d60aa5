/** The hash of a feature finds its counter. Two features on one counter only look more frequent than they are. */
const COUNTERS = 1 << 15;

/** In how many records each feature occurs: of a query's words, full text is asked for the rarest. */
export class FeatureWeights {
  readonly version: number;
  readonly records: number;
  readonly #counts: Uint32Array;

  constructor(version: number, records: number, counts: Uint32Array) {
    this.version = version;
    this.records = records;
    this.#counts = counts;
  }

  /** Before anything is learnt, all features weigh the same. */
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

  /** The share of all records that hold it. An unseen feature counts as less than one record. */
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
