/** One line of CSV (RFC 4180) with its line end: values that hold a comma, a quote or a line end are quoted. */
export function csvLine(values: readonly (string | number)[]): string {
  return `${values.map(csvField).join(',')}\n`;
}

function csvField(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
