import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

/** Cuts text into what a reader takes for characters: a family of emoji is one. */
const GRAPHEMES = new Intl.Segmenter();

/** Cells that `text` takes on a terminal; escape sequences that color it take none. */
export function textWidth(text: string): number {
  return stringWidth(text);
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
  for (const { segment } of GRAPHEMES.segment(stripVTControlCharacters(text))) {
    used += textWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
