import type { TrainingPart } from '../data/split/trainingPart.ts';
import { type RandomGenerator, randomGenerator } from '../math/random/randomGenerator.ts';
import { type BprStep, initMf, type MfModel, type MfShape, stepBpr } from '../models/mfBpr.ts';
import { drawNegative, type NegativeSampler, negativeSampler } from './batches/negativeSampler.ts';

/** Triples between two calls of `pulse`: about a millisecond. */
const PULSE_TRIPLES = 4096;

/** All that changes while training: what a checkpoint holds. */
export interface BprState {
  /** Epochs done. */
  epoch: number;
  model: MfModel;
  generator: RandomGenerator;
  /** The embeddings with the best validation so far; null before the first, and where they are not kept. */
  best: { epoch: number; score: number; model: MfModel } | null;
  /** Validations since the best. */
  waited: number;
}

/** Training interactions as parallel columns, and what is drawn against them. */
export interface BprData {
  /** (training interactions) */
  users: Uint32Array;
  /** (training interactions) */
  items: Uint32Array;
  sampler: NegativeSampler;
}

export function bprData(split: TrainingPart): BprData {
  const { offsets, items, userCount } = split.dataset;
  const users = new Uint32Array(items.length);
  const positives = new Uint32Array(items.length);
  let written = 0;
  for (let user = 0; user < userCount; user++) {
    for (let i = offsets[user]!; i < split.trainEnd[user]!; i++) {
      users[written] = user;
      positives[written++] = items[i]!;
    }
  }
  return { users: users.slice(0, written), items: positives.slice(0, written), sampler: negativeSampler(split) };
}

export function initBpr(shape: MfShape, options: { initialDeviation: number; seed: number }): BprState {
  return {
    epoch: 0,
    model: initMf(shape, options.initialDeviation, randomGenerator(options.seed, 'mf-bpr initialise')),
    generator: randomGenerator(options.seed, 'mf-bpr epochs'),
    best: null,
    waited: 0,
  };
}

/**
 * One pass over the training interactions in a new random order, each against one item drawn uniformly from those that
 * its user does not train on. Changes `state` in place; returns the mean loss. Interactions of users who train on every item
 * are passed over. `pulse` is called every few milliseconds and may throw to stop.
 */
export function bprEpoch(state: BprState, data: BprData, options: BprStep & { pulse: () => void }): number {
  const { users, items, sampler } = data;
  const { model, generator } = state;
  const order = new Uint32Array(users.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  generator.shuffle(order);
  let loss = 0;
  let triples = 0;
  for (let i = 0; i < order.length; i++) {
    if (i % PULSE_TRIPLES === 0) options.pulse();
    const user = users[order[i]!]!;
    const other = drawNegative(sampler, user, generator);
    if (other < 0) continue;
    loss += stepBpr(model, { user, item: items[order[i]!]!, other }, options);
    triples++;
  }
  state.epoch++;
  return loss / triples;
}

/**
 * Takes note of a validation (more is better). With `patience` the best embeddings are kept, and true means that so many
 * validations went by without a better one.
 */
export function noteValidation(state: BprState, score: number, patience: number): boolean {
  if (patience === 0) return false;
  if (state.best === null || score > state.best.score) {
    const { dimension, users, items } = state.model;
    state.best = { epoch: state.epoch, score, model: { dimension, users: users.slice(), items: items.slice() } };
    state.waited = 0;
  } else {
    state.waited++;
  }
  return state.waited >= patience;
}
