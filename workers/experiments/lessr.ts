import type { LessrParameters } from '#src/catalog/kinds/lessr.ts';
import { initLessr, lessr as lessrNetwork } from '../models/lessr.ts';
import { samplePrefixes } from '../training/batches/samplePrefixes.ts';
import { trainNextItem } from '../training/trainNextItem.ts';
import type { Experiment } from './experiment.ts';

/** Prefixes that ranking normalises by, and how many at once. */
const SAMPLE = { prefixes: 2048, atOnce: 512 };

/** LESSR; `trainRecommender` says what is reported where. */
export const lessr: Experiment<LessrParameters> = async (context) => {
  const { dimension, layers, maximumLength, samples, dropout, batchNorm, maximumNorm } = context.parameters;
  await trainNextItem(context, {
    name: 'lessr',
    samples,
    network: ({ itemCount, items, generatorOf, training }) => {
      const shape = { itemCount, dimension, layers, maximumLength };
      const parameters = initLessr(shape, items, { batchNorm }, generatorOf);
      const sample = batchNorm ? samplePrefixes(training, { ...SAMPLE, maximumLength }) : [];
      return lessrNetwork(parameters, shape, { options: { dropout, batchNorm, maximumNorm }, sample });
    },
  });
};
