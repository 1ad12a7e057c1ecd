import { encodeNpy } from '../../data/npyFile.ts';
import type { MfModel } from '../../models/mfBpr.ts';
import type { ExperimentContext } from '../experiment.ts';
import type { MatrixEvaluation } from './matrixEvaluation.ts';

export interface OptimizedModel {
  model: MfModel;
  /** Epochs trained. */
  epoch: number;
  testedEpoch: number;
}

/** Tests the rows and leaves them as artifacts. */
export async function testFactors(
  { reporter }: Pick<ExperimentContext<unknown>, 'reporter'>,
  evaluation: MatrixEvaluation,
  { model, epoch, testedEpoch }: OptimizedModel,
): Promise<void> {
  reporter.note('testedEpoch', testedEpoch);
  const start = performance.now();
  await evaluation.test(model, epoch);
  reporter.timing('evaluate', (performance.now() - start) / 1000);
  const save = (name: string, values: Float32Array): void => {
    const bytes = encodeNpy(values, [values.length / model.dimension, model.dimension]);
    reporter.artifact(name, bytes, 'application/octet-stream');
  };
  save('item-embeddings.npy', model.items);
  save('user-embeddings.npy', model.users);
}
