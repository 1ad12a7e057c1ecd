/** A fraction as programs write it; whole numbers, and what only begins with digits, are none. */
const FRACTION = /^-?\d+\.\d+(?:e[+-]?\d+)?$/i;
const FEWEST_DIGITS = 4;
const MOST_DIGITS = 17;

/**
 * The texts of a column for people to read: of fractions so many significant digits as tell all that differ apart, four at
 * least. `0.30614525747921373` becomes `0.3061`, and `0.30000000000000004` becomes `0.3`. All else stays as it is.
 */
export function shortNumerals(texts: readonly string[]): string[] {
  const different = new Set(texts).size;
  for (let digits = FEWEST_DIGITS; digits < MOST_DIGITS; digits += 1) {
    const shown = texts.map((text) => shortNumeral(text, digits));
    if (new Set(shown).size === different) return shown;
  }
  return [...texts];
}

/** The cells of rows, with the numerals of each column as `shortNumerals` has them. */
export function shortNumeralCells(rows: readonly (readonly string[])[]): string[][] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => shortNumerals(rows.map((row) => row[column] ?? '')));
  return rows.map((row, index) => row.map((_, column) => columns[column]![index]!));
}

function shortNumeral(text: string, digits: number): string {
  if (!FRACTION.test(text)) return text;
  const value = Number(text);
  const whole = Math.trunc(Math.abs(value)).toString();
  // the whole part of a large one is no place to round
  const short = Math.abs(value) < 1e15 ? Number(value.toPrecision(Math.max(digits, whole.length))) : value;
  return short === value || !Number.isFinite(short) ? text : String(short);
}
