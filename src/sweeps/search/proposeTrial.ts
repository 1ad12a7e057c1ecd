import { assertNever } from '#src/base/lib/assertNever.ts';
import { type Grid, gridOf } from './gridSampler.ts';
import { randomPoint } from './randomSampler.ts';
import type { Point, SearchSpace } from './searchSpace.ts';
import { sobolPoint } from './sobolSampler.ts';
import { tpePoint } from './tpeSampler.ts';
import type { PastTrial } from './trialHistory.ts';

export const SWEEP_METHODS = ['grid', 'random', 'sobol', 'tpe'] as const;
export type SweepMethod = (typeof SWEEP_METHODS)[number];

export interface TrialRequest {
  method: SweepMethod;
  space: SearchSpace;
  /** Of the sweep. */
  seed: number;
  /** Trials count from 0. */
  number: number;
  /** Trials drawn before, in any order; only `tpe` looks at them. */
  history: readonly PastTrial[];
}

/** The point of a trial, a function of the request alone; null where a grid has no more points. */
export function proposeTrial({ method, space, seed, number, history }: TrialRequest): Point | null {
  switch (method) {
    case 'grid':
      return gridFor(space).at(number);
    case 'random':
      return randomPoint(space, { seed, number });
    case 'sobol':
      return sobolPoint(space, { seed, number });
    case 'tpe':
      return tpePoint(space, { seed, number, history });
    default:
      return assertNever(method);
  }
}

/** How many points there are to draw; null where there is no end. */
export function pointCount(method: SweepMethod, space: SearchSpace): number | null {
  return method === 'grid' ? gridFor(space).size : null;
}

const grids = new WeakMap<SearchSpace, Grid>();

function gridFor(space: SearchSpace): Grid {
  const grid = grids.get(space) ?? gridOf(space);
  grids.set(space, grid);
  return grid;
}
