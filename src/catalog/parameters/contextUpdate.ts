import { z } from 'zod';

/** Models that predict from the mean of several vectors. */
const AVERAGING: readonly string[] = ['cbow', 'pv-dm'];

/** How far the vectors of a mean follow its gradient, for models that predict from one. */
export const contextUpdate = z
  .enum(['whole', 'divided'])
  // Not a default: configurations from before there was a choice do not name it, and mean divided.
  .optional()
  .meta({ default: 'whole' })
  .describe(
    'What moves each vector of the mean that cbow and pv-dm predict from: whole, the gradient of the mean itself, as word2vec’s own program and Gensim do it; divided, its share of it, which is the gradient of the loss and learns several times slower. Default whole. Only with cbow and pv-dm.',
  );

interface AveragedModel {
  model: string;
  contextUpdate?: 'whole' | 'divided' | undefined;
}

/** What a new configuration has where it does not say. */
export function defaultContextUpdate({ model, contextUpdate }: AveragedModel): { contextUpdate?: 'whole' } {
  return contextUpdate === undefined && AVERAGING.includes(model) ? { contextUpdate: 'whole' } : {};
}

/** Refuses it for models that predict from one vector. */
export function checkContextUpdate(
  { model, contextUpdate }: AveragedModel,
  refuse: (path: string, message: string) => void,
): void {
  if (contextUpdate === undefined || AVERAGING.includes(model)) return;
  refuse('contextUpdate', `${model} predicts from one vector, not from a mean`);
}
