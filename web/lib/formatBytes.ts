const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size of memory: `1.5 MiB`. */
export function formatMemory(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return `${mebibytes >= 100 ? Math.round(mebibytes) : mebibytes.toFixed(mebibytes >= 1 ? 1 : 3)} MiB`;
}

/** A size in decimal units: `512 B`, `1.5 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
