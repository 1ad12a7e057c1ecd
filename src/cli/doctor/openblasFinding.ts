import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { shellCommand } from '#src/base/lib/projectRoot.ts';
import type { backendsSchema } from '#src/base/terminal/inspectNumerics.ts';
import type { Finding } from '#src/base/terminal/finding.ts';

/** Products are worth other last bits from here: less is lost again in what is not a product. */
const WORTH = 1.3;
const SUBJECT = 'OpenBLAS';

type Openblas = z.output<typeof backendsSchema>['openblas'];

/**
 * Whether OpenBLAS multiplies matrices, and what it brings: by the products that were timed both ways where it is installed, by
 * what this processor has where it is not.
 */
export function openblasFinding(
  openblas: Openblas,
  { isFused = false, flags = processorFlags() }: { isFused?: boolean; flags?: string } = {},
): Finding {
  const { wanted } = openblas;
  if ('found' in openblas) return timedFinding(openblas, isFused);
  if (wanted)
    return {
      subject: SUBJECT,
      level: 'broken',
      found: openblas.reason,
      advice: 'install it, or unset WARREN_OPENBLAS',
    };
  const vectors = wideVectors(flags);
  const found = `off; ${openblas.reason}`;
  if (vectors === null) return { subject: SUBJECT, level: 'ok', found };
  const advice = `\`${shellCommand()} backend install openblas\` (27 MB) multiplies matrices by this processor's ${vectors.name}, vectors of ${vectors.floats} floats instead of 4; then this command times both`;
  return { subject: SUBJECT, level: 'note', found, advice };
}

function timedFinding({ wanted, found, speed }: Extract<Openblas, { found: string }>, isFused: boolean): Finding {
  const here = `${wanted ? 'on (WARREN_OPENBLAS)' : 'off'}; here: ${found}`;
  const { kernels, library } = speed;
  const gain = library / kernels;
  const each = `${library.toFixed(0)} GFLOP/s, the kernels ${kernels.toFixed(0)}, on one thread`;
  const timed = `${here}; products ${gain.toFixed(1)} times as fast (${each})`;
  if (gain < 1) {
    const slower = `${here}; products are slower by it (${each})`;
    if (!wanted) return { subject: SUBJECT, level: 'ok', found: slower };
    return { subject: SUBJECT, level: 'note', found: slower, advice: 'unset WARREN_OPENBLAS' };
  }
  if (wanted || gain < WORTH) return { subject: SUBJECT, level: 'ok', found: timed };
  const how = `WARREN_OPENBLAS=on${isFused ? ' instead of WARREN_FUSED' : ''} for workers, also where several share the cores`;
  const advice = `${how}: networks that multiply large matrices train faster; last bits differ`;
  return { subject: SUBJECT, level: 'note', found: timed, advice };
}

/** What is wider than WebAssembly's vectors of four floats. */
function wideVectors(flags: string): { name: string; floats: number } | null {
  const has = (flag: string): boolean => new RegExp(`\\b${flag}\\b`).test(flags);
  if (has('avx512f')) return { name: 'AVX-512', floats: 16 };
  return has('avx2') && has('fma') ? { name: 'AVX2', floats: 8 } : null;
}

/** What Linux says that the processor has; nothing elsewhere. */
function processorFlags(): string {
  const file = '/proc/cpuinfo';
  if (process.platform !== 'linux' || !existsSync(file)) return '';
  return /^flags\s*:\s*(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
}
