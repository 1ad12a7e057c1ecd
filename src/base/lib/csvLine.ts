/**
 * One line of CSV (RFC 4180) with its line end: values that hold a comma, a quote or a line end are quoted. Text that a
 * spreadsheet would take for a formula gets an apostrophe in front; numbers stay as they are, negative ones too.
 */
export function csvLine(values: readonly (string | number)[]): string {
  return `${values.map(csvField).join(',')}\n`;
}

/**
 * What makes a spreadsheet compute a cell (OWASP, "CSV injection"), also behind blanks, which some leave out, and in its full width, which
 * some take for the same; one such character alone computes nothing.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])./su;

function csvField(value: string | number): string {
  const isFormula = typeof value === 'string' && FORMULA.test(value) && Number.isNaN(Number(value));
  const text = isFormula ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
