// Escape sequences that colour text take no room on the screen.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const ESCAPES = /\u001b\[[0-9;]*m/g;
const MARK = /\p{Mark}/u;

/** East Asian wide and emoji blocks: two cells a character. */
function cellsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (MARK.test(character)) return 0;
  const wide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff);
  return wide ? 2 : 1;
}

/** Cells that `text` takes on a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text.replace(ESCAPES, '')) width += cellsOf(character);
  return width;
}

/** `text` with spaces up to `width` cells. */
export function padText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const fill = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'left' ? text + fill : fill + text;
}

/** At most `width` cells of `text`, ending in … when something was cut; colours are dropped from a cut text. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width <= 0) return '';
  let kept = '';
  let used = 0;
  for (const character of text.replace(ESCAPES, '')) {
    const cells = cellsOf(character);
    if (used + cells > width - 1) break;
    kept += character;
    used += cells;
  }
  return `${kept}…`;
}
