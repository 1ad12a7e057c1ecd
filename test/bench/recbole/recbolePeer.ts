import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import type { RunTimes } from './ownRun.ts';
import { PEER_ENVIRONMENT } from '../peerPython.ts';

/** Where `.ci/recbole` puts RecBole. */
const INSTALLED = join(projectRoot(), '.warren', 'ci', 'recbole', 'bin', 'python');

/** One model of RecBole, as `recboleRun.py` is told of it. */
export interface PeerTask {
  model: string;
  samples: 'interactions' | 'prefixes' | 'users';
  config: Record<string, unknown>;
  epochs: number | null;
  /** Timed of one epoch instead of training to the end; null for whole epochs. */
  batches: number | null;
  seed: number;
  threads: number;
}

const replySchema = z.object({
  seconds: z.array(z.number()).min(1),
  processorSeconds: z.array(z.number()).min(1),
  metrics: z.object({ 'ndcg@10': z.number(), 'hr@10': z.number() }).nullable(),
  samples: z.number(),
});
export type PeerTimes = RunTimes & { samples: number };

/** The Python that has RecBole, with the versions, or why there is none. */
export function recbolePython(): { python: string; versions: string } | { reason: string } {
  const python = process.env.WARREN_RECBOLE_PYTHON || INSTALLED;
  if (!existsSync(python)) return { reason: `there is no ${python}; \`.ci/recbole\` installs RecBole` };
  const script = 'import recbole, torch; print(f"RecBole {recbole.__version__}, PyTorch {torch.__version__}")';
  const { status, stdout, stderr } = spawnSync(python, ['-c', script], { encoding: 'utf8' });
  if (status !== 0) return { reason: lastLine(stderr) ?? `${python} ended with ${status}` };
  return { python, versions: stdout.trim() };
}

/** A model of RecBole on a dataset, leave-one-out, or why it did not run. */
export function recboleRun(python: string, dataset: SequenceDataset, task: PeerTask): PeerTimes | { reason: string } {
  const folder = mkdtempSync(join(tmpdir(), 'warren-bench-'));
  try {
    const { offsets, items } = dataset;
    writeFileSync(join(folder, 'offsets.npy'), encodeNpy(Float64Array.from(offsets), [offsets.length]));
    writeFileSync(join(folder, 'items.npy'), encodeNpy(Float64Array.from(items), [items.length]));
    const script = join(projectRoot(), 'test', 'bench', 'recbole', 'recboleRun.py');
    const threads = String(task.threads);
    const { status, error, stdout, stderr } = spawnSync(python, [script, folder, JSON.stringify(task)], {
      ...{ encoding: 'utf8', maxBuffer: 2 ** 28 },
      env: { ...PEER_ENVIRONMENT, OMP_NUM_THREADS: threads, OPENBLAS_NUM_THREADS: threads },
    });
    if (error !== undefined) return { reason: error.message };
    if (status !== 0) return { reason: lastLine(stderr) ?? `ended with ${status}` };
    return replySchema.parse(JSON.parse(lastLine(stdout) ?? ''));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1) || undefined;
}
