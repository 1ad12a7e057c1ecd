import { z } from 'zod';
import type { ExperimentContext } from '../experiment.ts';
import { MetricRecord } from '../studies/metricRecord.ts';
import { reporterWithin } from '../studies/reporterWithin.ts';
import { decodeStudy, encodeStudy } from '../studies/studyCheckpoint.ts';
import type { Replicate } from './repeatedPretraining.ts';

/** A study of several pretrainings that can go on where it was interrupted. */
export interface ReplicateStudy<Parameters> {
  /** The run's, with a reporter whose metrics the record keeps. */
  context: ExperimentContext<Parameters>;
  /** All metrics so far, those of the checkpoint among them: what is in it need not be computed again. */
  record: MetricRecord;
  /** Pretrainings that the checkpoint holds. */
  finished: readonly Replicate[];
  /** Keeps the record as it is now, and pretrainings that are too long to repeat. */
  save(pretrainings: readonly Replicate[]): void;
}

const headerSchema = z.object({
  study: z.literal('replicates-1'),
  metrics: z.unknown(),
  /** By pretraining. */
  losses: z.array(z.array(z.number())),
});

/** The study, with what the run's checkpoint holds where there is one that fits. */
export function replicateStudy<Parameters>(context: ExperimentContext<Parameters>): ReplicateStudy<Parameters> {
  const { checkpoint, reporter } = context;
  const record = new MetricRecord(reporter);
  let finished: Replicate[] = [];
  if (checkpoint !== null) {
    const found = decodeReplicates(checkpoint.bytes);
    if (found !== null && record.restore(found.metrics)) finished = found.replicates;
    else reporter.log('warn', 'the checkpoint cannot be used: all is computed anew');
  }
  return {
    context: {
      ...context,
      reporter: reporterWithin(reporter, { metric: (name, step, value) => record.metric(name, step, value) }),
    },
    record,
    finished,
    save: (pretrainings) => reporter.checkpoint(0, encodeReplicates(record.saved(), pretrainings)),
  };
}

/** The vectors follow the header, one pretraining after the other, as float32. */
function encodeReplicates(metrics: unknown, replicates: readonly Replicate[]): Uint8Array {
  const header: z.input<typeof headerSchema> = {
    study: 'replicates-1',
    metrics,
    losses: replicates.map(({ losses }) => losses),
  };
  const length = replicates.reduce((sum, { vectors }) => sum + vectors.length, 0);
  const all = new Float32Array(length);
  let at = 0;
  for (const { vectors } of replicates) {
    all.set(vectors, at);
    at += vectors.length;
  }
  return encodeStudy(header, new Uint8Array(all.buffer));
}

function decodeReplicates(file: Uint8Array): { metrics: unknown; replicates: Replicate[] } | null {
  const found = decodeStudy(file, headerSchema);
  if (found === null) return null;
  const { metrics, losses } = found.header;
  const length = losses.length === 0 ? 0 : found.training.length / 4 / losses.length;
  if (!Number.isInteger(length)) return null;
  const replicates = losses.map((own, number): Replicate => {
    // a copy at offset 0: the file may lie anywhere
    const bytes = new Uint8Array(found.training.subarray(4 * length * number, 4 * length * (number + 1)));
    return { vectors: new Float32Array(bytes.buffer), losses: own, snapshots: new Map() };
  });
  return { metrics, replicates };
}
