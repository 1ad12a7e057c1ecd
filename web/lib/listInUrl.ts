/** A list in one URL parameter: joined by commas; commas and percent signs inside an entry are percent-encoded. */
export function writeList(entries: readonly string[]): string {
  return entries.map((entry) => entry.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
}

export function readList(text: string): string[] {
  return text
    .split(',')
    .filter((entry) => entry !== '')
    .map((entry) => entry.replaceAll('%2C', ',').replaceAll('%25', '%'));
}
