import type { FiniteRnnParameters } from '#src/catalog/kinds/finiteRnn.ts';
import { type ElmanOptions, type ElmanShape, elmanRecommender, initElman } from '../models/elmanRecommender.ts';
import { trainNextItem } from '../training/trainNextItem.ts';
import type { Experiment } from './experiment.ts';

/** The double ascent's network (OverRec, Figures 1, 2 and 4) of one width; `trainRecommender` says what is reported where. */
export const finiteRnn: Experiment<FiniteRnnParameters> = async (context) => {
  const { dimension: width, layers, tiesEmbeddings, maximumLength, activation, parametrisation } = context.parameters;
  const { sigmaW: recurrent, sigmaU: input, sigmaV: readOut, sigmaB: bias } = context.parameters;
  const options: ElmanOptions = { activation, parametrisation, sigmas: { recurrent, input, readOut, bias } };
  await trainNextItem(context, {
    name: 'finite-rnn',
    network: ({ itemCount, items, generatorOf }) => {
      const shape: ElmanShape = { itemCount, width, layers, tiesEmbeddings, maximumLength };
      return elmanRecommender(initElman(shape, { ...options, items }, generatorOf), shape, options);
    },
  });
};
