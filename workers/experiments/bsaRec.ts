import type { BsaRecParameters } from '#src/catalog/kinds/bsaRec.ts';
import { bsaRec as bsaRecNetwork, initBsaRec } from '../models/bsaRec.ts';
import { trainNextItem } from '../training/trainNextItem.ts';
import type { Experiment } from './experiment.ts';

/** BSARec; `trainRecommender` says what is reported where. */
export const bsaRec: Experiment<BsaRecParameters> = async (context) => {
  const { dimension, maximumLength, blocks, heads, dropout, filterShare, cutoff } = context.parameters;
  await trainNextItem(context, {
    name: 'bsarec',
    samples: 'prefixes',
    network: ({ itemCount, items, generatorOf }) => {
      const shape = { itemCount, dimension, maximumLength, blocks, heads };
      return bsaRecNetwork(initBsaRec(shape, items, generatorOf), shape, { dropout, filterShare, cutoff });
    },
  });
};
