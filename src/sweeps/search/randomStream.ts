import { createHash } from 'node:crypto';

const PER_DIGEST = 4;
const TWO_POW_53 = 2 ** 53;

/**
 * Uniform numbers in [0, 1) with 53 random bits, as a function of the names alone: sha256 in counter mode. What one name
 * draws does not depend on what others draw, so that a trial is the same wherever and whenever it is proposed.
 */
export function randomStream(...names: readonly (string | number)[]): () => number {
  const key = JSON.stringify(names);
  let digest = Buffer.alloc(0);
  let drawn = 0;
  return () => {
    const place = drawn % PER_DIGEST;
    if (place === 0)
      digest = createHash('sha256')
        .update(`${drawn / PER_DIGEST}/${key}`)
        .digest();
    drawn += 1;
    return Number(digest.readBigUInt64BE(place * 8) >> 11n) / TWO_POW_53;
  };
}
