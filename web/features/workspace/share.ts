export const LEAST_SHARE = 15;
export const MOST_SHARE = 85;

/** A part of the page in whole percent, neither side too small to be used. */
export function clampShare(share: number): number {
  return Math.min(MOST_SHARE, Math.max(LEAST_SHARE, Math.round(share)));
}
