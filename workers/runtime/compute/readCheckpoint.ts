import { toErrorRecord } from '#src/base/contracts/errors.ts';
import type { ArtifactSource } from '#src/base/contracts/executorMessages.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { readArtifact, type SourceOptions } from '../shared/artifactSource.ts';
import type { ThreadReporter } from './threadReporter.ts';

/** Codes of a checkpoint that is damaged or has gone: nobody can mend that, but the run can begin anew. */
const LOST = new Set(['DATA_ERROR', 'NOT_FOUND']);

/** The checkpoint to go on from; null where there is none, or none that can be used, which the run's log and events tell. */
export async function readCheckpoint(
  checkpoint: ArtifactSource | null,
  { reporter, ...source }: SourceOptions & { reporter: ThreadReporter },
): Promise<{ step: number; bytes: Uint8Array } | null> {
  if (checkpoint === null) return null;
  const { step, sha256 } = checkpoint;
  invariant(step !== undefined, 'a checkpoint without a step');
  try {
    const bytes = await readArtifact(checkpoint, source);
    reporter.log('info', `goes on from the checkpoint at step ${step}`);
    return { step, bytes };
  } catch (thrown) {
    const { code, message } = toErrorRecord(thrown);
    if (!LOST.has(code)) throw thrown;
    reporter.restart(sha256, `the checkpoint at step ${step} cannot be used, so the run begins anew: ${message}`);
    return null;
  }
}
