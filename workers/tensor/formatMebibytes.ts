/** Bytes for people: `1,536 MiB`; below one MiB with a decimal. */
export function formatMebibytes(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return `${mebibytes.toLocaleString('en', { maximumFractionDigits: mebibytes < 10 ? 1 : 0 })} MiB`;
}
