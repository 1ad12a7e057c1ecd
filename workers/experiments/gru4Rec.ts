import type { Gru4RecParameters } from '#src/catalog/kinds/gru4Rec.ts';
import { gru4Rec as gru4RecNetwork, initGru4Rec } from '../models/gru4Rec.ts';
import { trainNextItem } from '../training/trainNextItem.ts';
import type { Experiment } from './experiment.ts';

/** GRU4Rec; `trainRecommender` says what is reported where. */
export const gru4Rec: Experiment<Gru4RecParameters> = async (context) => {
  const { dimension, hiddenSize, layers, maximumLength, dropout, samples } = context.parameters;
  await trainNextItem(context, {
    name: 'gru4rec',
    samples,
    network: ({ itemCount, items, generatorOf }) => {
      const shape = { itemCount, dimension, hiddenSize, layers, maximumLength };
      return gru4RecNetwork(initGru4Rec(shape, items, generatorOf), shape, { dropout });
    },
  });
};
