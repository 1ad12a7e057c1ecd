/** Helvetica's widths of the characters from space to tilde, in thousandths of the size: its metrics files have them. */
const WIDTHS = [
  ...[278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278],
  ...[556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556],
  ...[1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778],
  ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556],
  ...[333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556],
  ...[556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584],
];
const OTHER = 556;
const WIDE = 1000;
/** Of the fonts that a reader's system may have instead, some are wider. */
const ROOM = 1.1;

/**
 * How wide a text may be in a font (`600 14px sans-serif`), in pixels, for files: who reads one has other fonts than who wrote it,
 * so that what a browser measures says no more, and a file is the same wherever it was written.
 */
export function textWidth(text: string, font: string): number {
  const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 10);
  let sum = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    sum += WIDTHS[code - 32] ?? (code >= 0x2e80 ? WIDE : OTHER);
  }
  return (sum * size * ROOM) / 1000;
}
