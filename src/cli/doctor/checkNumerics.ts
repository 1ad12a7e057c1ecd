import type { z } from 'zod';
import { coerceError } from '#src/base/lib/coerceError.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { backendsSchema, datasetsSchema, inspectNumerics } from '#src/base/terminal/inspectNumerics.ts';
import { backendAdvice } from './backendAdvice.ts';
import type { Finding } from '#src/base/terminal/finding.ts';
import { openblasFinding } from './openblasFinding.ts';

/** Tensor backends with their devices, and WebAssembly, on which the kernels run. */
export async function checkBackends(context: CommandContext): Promise<Finding[]> {
  const { home } = context.environment();
  try {
    const { backends, chosen, fused, openblas } = await inspectNumerics(context, ['backends'], backendsSchema);
    const findings = backends.map((backend): Finding => {
      const subject = `Backend ${backend.name}`;
      const version = backend.version === null ? '' : ` (${backend.version})`;
      const here = `${backend.reason}${version}; ${backend.device}${backend.name === chosen ? '; used' : ''}`;
      if (backend.present) return { subject, level: 'ok', found: here };
      // The hand-written kernels are WebAssembly with SIMD and threads: without it nothing computes.
      const needed = backend.name === 'wasm';
      return {
        subject,
        level: needed ? 'broken' : 'note',
        found: backend.reason,
        advice: needed ? 'use Node 20.19 or newer on a 64-bit processor' : 'not needed: another backend is used',
      };
    });
    return [
      ...findings,
      fusedFinding(fused),
      openblasFinding(openblas, { isFused: fused.wanted }),
      ...backendAdvice(home, chosen),
    ];
  } catch (error) {
    return [
      {
        subject: 'Backends',
        level: 'broken',
        found: coerceError(error).message,
        advice: 'correct WARREN_BACKEND, or npm run build',
      },
    ];
  }
}

/** Whether the kernels round products and sums together, and whether they could. */
export function fusedFinding({ wanted, support }: z.output<typeof backendsSchema>['fused']): Finding {
  const subject = 'Fused multiply-adds';
  const found = {
    fused: `${wanted ? 'on (WARREN_FUSED)' : 'off'}; this engine and this processor have them`,
    engine: `${wanted ? 'wanted by WARREN_FUSED, but ' : ''}V8 ${process.versions.v8} has no relaxed SIMD`,
    processor: `${wanted ? 'wanted by WARREN_FUSED, but ' : ''}this processor has none`,
  }[support];
  if (!wanted) return { subject, level: 'ok', found };
  if (support === 'fused') return { subject, level: 'ok', found };
  return support === 'engine'
    ? { subject, level: 'broken', found, advice: 'use Node 20.19 or newer, or unset WARREN_FUSED' }
    : { subject, level: 'note', found, advice: 'numbers are those without them; unset WARREN_FUSED' };
}

/** Known datasets that are in the data folders. */
export async function checkDatasets(context: CommandContext): Promise<Finding> {
  const { dataFolders } = context.environment();
  const subject = 'Datasets';
  try {
    const datasets = await inspectNumerics(context, ['datasets'], datasetsSchema);
    const here = datasets.filter((dataset) => dataset.path !== null).map((dataset) => dataset.name);
    const searched = `searched ${dataFolders.join(', ')}`;
    if (here.length > 0) return { subject, level: 'ok', found: `${here.join(', ')}; ${searched}` };
    return {
      subject,
      level: 'note',
      found: `none; ${searched}`,
      advice:
        'set WARREN_DATA to a folder with datasets (`warren data ls` says where they come from); generated ones are always there',
    };
  } catch (error) {
    return { subject, level: 'broken', found: coerceError(error).message, advice: 'npm run build' };
  }
}
