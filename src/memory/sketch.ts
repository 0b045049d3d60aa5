/**
 * Bits of a sketch. A scan reads all sketches of a shelf, so they are short. The exact comparison corrects their
 * errors.
 */
export const SKETCH_BITS = 512;
export const SKETCH_WORDS = SKETCH_BITS / 32;

/**
 * Describes a vector in few bits: the share of bits that differ between two sketches estimates the angle between the
 * vectors. A hashed vector is mostly zeros, so it is first spread over all dimensions: signs are flipped by a fixed
 * pattern, then a Hadamard transform follows. The signs of the first 512 values are the sketch.
 */
export function sketchOf(values: Float32Array): Uint8Array {
  const turned = turn(values);
  const sketch = new Uint8Array(SKETCH_BITS / 8);
  for (let bit = 0; bit < SKETCH_BITS; bit += 1) {
    if ((turned[bit] ?? 0) > 0) sketch[bit >> 3] = (sketch[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
  return sketch;
}

function turn(values: Float32Array): Float32Array {
  let size = SKETCH_BITS;
  while (size < values.length) size *= 2;
  const turned = new Float32Array(size);
  let state = 0x9e3779b9;
  for (let index = 0; index < values.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    turned[index] = state >>> 31 === 0 ? (values[index] ?? 0) : -(values[index] ?? 0);
  }
  for (let half = 1; half < size; half *= 2) {
    for (let start = 0; start < size; start += half * 2) {
      for (let index = start; index < start + half; index += 1) {
        const a = turned[index] ?? 0;
        const b = turned[index + half] ?? 0;
        turned[index] = a + b;
        turned[index + half] = a - b;
      }
    }
  }
  return turned;
}

/** Sketches of many vectors, packed for one pass. */
export interface Pack {
  /** The numbers of the vectors, in the order of their sketches. */
  numbers: Float64Array;
  sketches: Int32Array;
}

/**
 * The numbers of the `wanted` vectors with the nearest sketches. Of those at the largest distance, the first ones
 * count.
 */
export function nearestSketches(sketch: Uint8Array, packs: readonly Pack[], wanted: number): number[] {
  const query = new Int32Array(new Uint8Array(sketch).buffer);
  const histogram = new Uint32Array(SKETCH_BITS + 1);
  const distances = packs.map((pack) => measure(query, pack, histogram));
  let limit = 0;
  for (let seen = histogram[0] ?? 0; seen < wanted && limit < SKETCH_BITS; seen += histogram[limit] ?? 0) limit += 1;
  const found: number[] = [];
  const farthest: number[] = [];
  for (const [index, pack] of packs.entries()) {
    const of = distances[index] ?? new Uint16Array();
    for (let at = 0; at < of.length; at += 1) {
      const distance = of[at] ?? 0;
      if (distance < limit) found.push(pack.numbers[at] ?? 0);
      else if (distance === limit && farthest.length < wanted) farthest.push(pack.numbers[at] ?? 0);
    }
  }
  return [...found, ...farthest.slice(0, Math.max(0, wanted - found.length))];
}

/**
 * Counts differing bits. This is the inner loop of every search: fields of two, four and then eight bits are added up side by
 * side, two words before they are widened, and put together once for each sketch.
 */
function measure(query: Int32Array, { numbers, sketches }: Pack, histogram: Uint32Array): Uint16Array {
  const distances = new Uint16Array(numbers.length);
  let offset = 0;
  for (let at = 0; at < distances.length; at += 1) {
    let bytes = 0;
    for (let word = 0; word < SKETCH_WORDS; word += 2) {
      let a = (sketches[offset] ?? 0) ^ (query[word] ?? 0);
      let b = (sketches[offset + 1] ?? 0) ^ (query[word + 1] ?? 0);
      offset += 2;
      a -= (a >>> 1) & 0x55555555;
      b -= (b >>> 1) & 0x55555555;
      const nibbles = (a & 0x33333333) + ((a >>> 2) & 0x33333333) + (b & 0x33333333) + ((b >>> 2) & 0x33333333);
      bytes += (nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f);
    }
    const sum = (bytes & 0xff) + ((bytes >>> 8) & 0xff) + ((bytes >>> 16) & 0xff) + (bytes >>> 24);
    distances[at] = sum;
    histogram[sum] = (histogram[sum] ?? 0) + 1;
  }
  return distances;
}
