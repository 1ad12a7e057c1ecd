const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** An amount of memory as people write it (`512M`, `8G`, `1.5T`; powers of 1024) in MiB; null when it is none. */
export function memoryInMb(text: string): number | null {
  const [, count, unit] = /^(\d{1,7}(?:\.\d{1,3})?)([MGT])(?:i?B)?$/i.exec(text.trim()) ?? [];
  const megabytes = Math.round((Number(count) * (UNITS[unit?.toUpperCase() ?? ''] ?? 0)) / 2 ** 20);
  return megabytes > 0 ? megabytes : null;
}

/** A size on a disk as people write it (`4096`, `512K`, `20G`, `1.5T`; powers of 1024) in bytes; null when it is none. */
export function sizeInBytes(text: string): number | null {
  const [, count, unit] = /^(\d{1,15}(?:\.\d{1,3})?) ?(B|[KMGT]?)(?:(?<=[KMGT])i?B)?$/i.exec(text.trim()) ?? [];
  const bytes = Math.round(Number(count) * (UNITS[unit?.toUpperCase() ?? ''] ?? 1));
  return Number.isSafeInteger(bytes) ? bytes : null;
}
