const MEBIBYTES: Readonly<Record<string, number>> = { M: 1, G: 1024, T: 1024 * 1024 };

/** An amount of memory as people write it (`512M`, `8G`, `1.5T`; powers of 1024) in MiB; null when it is none. */
export function memoryInMb(text: string): number | null {
  const [, count, unit] = /^(\d{1,7}(?:\.\d{1,3})?)([MGT])(?:i?B)?$/i.exec(text.trim()) ?? [];
  const megabytes = Math.round(Number(count) * (MEBIBYTES[unit?.toUpperCase() ?? ''] ?? 0));
  return megabytes > 0 ? megabytes : null;
}
