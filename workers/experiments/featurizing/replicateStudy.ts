import { z } from 'zod';
import type { ExperimentContext } from '../experiment.ts';
import { MetricRecord } from './metricRecord.ts';
import { reporterWithin } from '../reporterWithin.ts';
import { decodeStudy, encodeStudy } from './studyCheckpoint.ts';
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
  study: z.literal('replicates-2'),
  metrics: z.unknown(),
  pretrainings: z.array(z.object({ losses: z.array(z.number()), snapshotEpochs: z.array(z.int().min(1)) })),
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

/** The header is followed by the vectors and then the snapshots of each pretraining, one table after the other, as float32. */
function encodeReplicates(metrics: unknown, replicates: readonly Replicate[]): Uint8Array {
  const header: z.input<typeof headerSchema> = {
    study: 'replicates-2',
    metrics,
    pretrainings: replicates.map(({ losses, snapshots }) => ({ losses, snapshotEpochs: [...snapshots.keys()] })),
  };
  const tables = replicates.flatMap(({ vectors, snapshots }) => [vectors, ...snapshots.values()]);
  const all = new Float32Array(tables.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const table of tables) {
    all.set(table, at);
    at += table.length;
  }
  return encodeStudy(header, new Uint8Array(all.buffer));
}

function decodeReplicates(file: Uint8Array): { metrics: unknown; replicates: Replicate[] } | null {
  const found = decodeStudy(file, headerSchema);
  if (found === null) return null;
  const { metrics, pretrainings } = found.header;
  const tables = pretrainings.reduce((sum, { snapshotEpochs }) => sum + 1 + snapshotEpochs.length, 0);
  const bytesOfTable = tables === 0 ? 0 : found.training.length / tables;
  if (!Number.isInteger(bytesOfTable / 4)) return null;
  let at = 0;
  const next = (): Float32Array => {
    // a copy at offset 0: the file may lie anywhere
    const bytes = new Uint8Array(found.training.subarray(at, at + bytesOfTable));
    at += bytesOfTable;
    return new Float32Array(bytes.buffer);
  };
  const replicates = pretrainings.map(({ losses, snapshotEpochs }): Replicate => {
    const vectors = next();
    return { vectors, losses, snapshots: new Map(snapshotEpochs.map((epoch) => [epoch, next()])) };
  });
  return { metrics, replicates };
}
