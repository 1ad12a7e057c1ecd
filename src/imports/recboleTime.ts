const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const NAMED = /-(\w{3})-(\d{2})-(\d{4})_(\d{2})-(\d{2})-(\d{2})/;

/** Unix milliseconds of a date in RecBole's words: the host's time without a zone, read as UTC, the same everywhere. */
export function recboleMs(
  [day, month, year]: readonly [string, string, string],
  [hour, minute, second]: readonly [string, string, string],
): number {
  const date = [Number(year), MONTHS.indexOf(month), Number(day)] as const;
  return Math.max(0, Date.UTC(...date, Number(hour), Number(minute), Number(second)));
}

/** The time in a file's name, such as `BPR-Nov-23-2026_10-20-30.pth`; null where there is none. */
export function recboleTimeMs(name: string): number | null {
  const [, month = '', day = '', year = '', hour = '', minute = '', second = ''] = NAMED.exec(name) ?? [];
  if (!MONTHS.includes(month)) return null;
  return recboleMs([day, month, year], [hour, minute, second]);
}
