import { createRequire } from 'node:module';
import { stripVTControlCharacters } from 'node:util';

/** Latin letters, their signs, dashes and dots: one cell each. The soft hyphen is not among them. */
const ONE_CELL_EACH = /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2026]*$/;

let measure: ((text: string) => number) | null = null;

/** Cells that `text` takes on a terminal; escape sequences that color it take none. */
export function textWidth(text: string): number {
  const shown = stripVTControlCharacters(text);
  if (ONE_CELL_EACH.test(shown)) return shown.length;
  // Its tables of characters take a quarter of the time in which a command starts, and few texts need them.
  measure ??= loadStringWidth();
  return measure(shown);
}

function loadStringWidth(): (text: string) => number {
  const { default: stringWidth }: typeof import('string-width') = createRequire(import.meta.url)('string-width');
  return stringWidth;
}

/** `text` with spaces up to `width` cells. */
export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const fill = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'left' ? text + fill : fill + text;
}

/** At most `width` cells of `text`, ending in … when something was cut; colors are dropped from a cut text. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width <= 0) return '';
  let kept = '';
  let used = 0;
  // what a reader takes for characters: a family of emoji is one
  for (const { segment } of new Intl.Segmenter().segment(stripVTControlCharacters(text))) {
    used += textWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
