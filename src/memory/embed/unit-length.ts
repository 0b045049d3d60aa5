/** The same direction at length 1, in place; a vector of zeros stays as it is. */
export function toUnitLength(values: Float32Array): Float32Array {
  let sum = 0;
  for (const value of values) sum += value * value;
  if (sum === 0 || !Number.isFinite(sum)) return values.fill(0);
  const factor = 1 / Math.sqrt(sum);
  for (let index = 0; index < values.length; index += 1) values[index] = (values[index] ?? 0) * factor;
  return values;
}

/** The cosine, of vectors of length 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
