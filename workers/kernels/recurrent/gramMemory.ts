import { totalmem } from 'node:os';
import { WarrenError } from '#src/base/contracts/errors.ts';

/** The default limit, as a share of the machine's memory. */
const SHARE_OF_MEMORY = 0.75;

/** Throws OUT_OF_MEMORY, saying how much is needed and what would help, for a matrix above the limit or beyond one array. */
export function checkGramMemory(rows: number, columns: number, limitBytes = totalmem() * SHARE_OF_MEMORY): void {
  const bytes = rows * columns * 8;
  const limit = Math.min(limitBytes, 2 ** 32 * 8);
  if (bytes <= limit) return;
  const fitting = Math.floor(Math.sqrt(limit / 8));
  throw new WarrenError(
    'OUT_OF_MEMORY',
    `a Gram matrix of ${rows} x ${columns} takes ${gibibytes(bytes)}, the limit is ${gibibytes(limit)}: ` +
      `take at most ${fitting} series`,
  );
}

function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toPrecision(3)} GiB`;
}
