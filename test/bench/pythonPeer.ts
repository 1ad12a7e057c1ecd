import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { PEER_ENVIRONMENT, PEER_PYTHON } from './peerPython.ts';
import type { Timing } from './measure.ts';

/** What a script of this folder prints, as JSON, for a sparse matrix given to it as `.npy`; or why it did not. `threads` of OpenBLAS. */
export function pythonPeer(
  script: string,
  { matrix, parameters, threads }: { matrix: SparseMatrix; parameters: readonly (string | number)[]; threads?: number },
): { printed: unknown } | { reason: string } {
  const folder = mkdtempSync(join(tmpdir(), 'warren-bench-'));
  try {
    const { offsets, columns, values } = matrix;
    writeFileSync(join(folder, 'offsets.npy'), encodeNpy(offsets, [offsets.length]));
    writeFileSync(join(folder, 'columns.npy'), encodeNpy(columns, [columns.length]));
    writeFileSync(join(folder, 'values.npy'), encodeNpy(values, [values.length]));
    const given = [join(projectRoot(), 'test', 'bench', script), folder, ...parameters.map(String)];
    const { status, error, stdout, stderr } = spawnSync(PEER_PYTHON, given, {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: threads === undefined ? PEER_ENVIRONMENT : { ...PEER_ENVIRONMENT, OPENBLAS_NUM_THREADS: String(threads) },
    });
    if (error !== undefined) return { reason: error.message };
    if (status !== 0) return { reason: stderr.trim().split('\n').at(-1) ?? `exit code ${status}` };
    return { printed: JSON.parse(stdout) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function timingOf(seconds: readonly number[]): Timing {
  const sorted = seconds.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1]!, spread: [sorted[0]!, sorted.at(-1)!] };
}
