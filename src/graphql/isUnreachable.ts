/** Codes of errors that say the database cannot be reached now: Prisma's, Node's and PostgreSQL's. */
const UNREACHABLE = new Set([
  'UNAVAILABLE',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** Whether the database or the way to it is what failed; looks into causes, since drivers wrap one another's errors. */
export function isUnreachable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  for (const name of ['code', 'originalCode'] as const) {
    const code: unknown = Reflect.get(error, name);
    if (typeof code === 'string' && UNREACHABLE.has(code)) return true;
  }
  return ['cause', 'meta', 'driverAdapterError'].some((name) => isUnreachable(Reflect.get(error, name), depth + 1));
}
