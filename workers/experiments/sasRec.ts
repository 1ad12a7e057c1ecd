import type { SasRecParameters } from '#src/catalog/kinds/sasRec.ts';
import { initSasRec, sasRec as sasRecNetwork } from '../models/sasRec.ts';
import { trainNextItem } from '../training/trainNextItem.ts';
import type { Experiment } from './experiment.ts';

/** SASRec; `trainRecommender` says what is reported where. */
export const sasRec: Experiment<SasRecParameters> = async (context) => {
  const { dimension, maximumLength, blocks, heads, dropout, pads, residual } = context.parameters;
  await trainNextItem(context, {
    name: 'sasrec',
    network: ({ itemCount, items, generatorOf }) => {
      const shape = { itemCount, dimension, maximumLength, blocks, heads };
      return sasRecNetwork(initSasRec(shape, items, generatorOf), shape, { dropout, pads, residual });
    },
  });
};
