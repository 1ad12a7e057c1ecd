import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { wilcoxonTest } from '#src/statistics/wilcoxon.ts';
import { proposeTrial, type SweepMethod } from '#src/sweeps/search/proposeTrial.ts';
import { type Point, readSearchSpace } from '#src/sweeps/search/searchSpace.ts';
import type { PastTrial } from '#src/sweeps/search/trialHistory.ts';
import { oracleFile } from './oracleFile.ts';

const oracle = oracleFile(
  'optunaTpe.json',
  z.object({ trials: z.number(), best: z.record(z.string(), z.array(z.number())) }),
);

interface Problem {
  name: string;
  parameters: Record<string, unknown>;
  loss(point: Point): number;
}

const at = (point: Point, name: string): number => Number(point[name]);
const uniform = (min: number, max: number) => ({ distribution: 'uniform', min, max });
const logUniform = (min: number, max: number) => ({ distribution: 'log_uniform_values', min, max });

// Dixon and Szegö (1978), as www.sfu.ca/~ssurjano has them
const HARTMANN = [
  { alpha: 1, a: [3, 10, 30], p: [0.3689, 0.117, 0.2673] },
  { alpha: 1.2, a: [0.1, 10, 35], p: [0.4699, 0.4387, 0.747] },
  { alpha: 3, a: [3, 10, 30], p: [0.1091, 0.8732, 0.5547] },
  { alpha: 3.2, a: [0.1, 10, 35], p: [0.0381, 0.5743, 0.8828] },
];

/** The problems of optunaTpe.py. */
const PROBLEMS: readonly Problem[] = [
  {
    name: 'sphere',
    parameters: { x0: uniform(-5, 5), x1: uniform(-5, 5), x2: uniform(-5, 5), x3: uniform(-5, 5) },
    loss: (point) => [0, 1, 2, 3].reduce((sum, i) => sum + (at(point, `x${i}`) - 1) ** 2, 0),
  },
  {
    name: 'branin',
    parameters: { x: uniform(-5, 10), y: uniform(0, 15) },
    loss: (point) => {
      const [x, y] = [at(point, 'x'), at(point, 'y')];
      const inner = y - (5.1 * x * x) / (4 * Math.PI ** 2) + (5 * x) / Math.PI - 6;
      return inner ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10;
    },
  },
  {
    name: 'hartmann',
    parameters: { x0: uniform(0, 1), x1: uniform(0, 1), x2: uniform(0, 1) },
    loss: (point) => {
      const exponent = ({ a, p }: { a: number[]; p: number[] }) =>
        a.reduce((sum, scale, i) => sum + scale * (at(point, `x${i}`) - p[i]!) ** 2, 0);
      return -HARTMANN.reduce((sum, term) => sum + term.alpha * Math.exp(-exponent(term)), 0);
    },
  },
  {
    name: 'rosenbrock',
    parameters: { x: uniform(-2, 2), y: uniform(-2, 2) },
    loss: (point) => {
      const [x, y] = [at(point, 'x'), at(point, 'y')];
      return Math.log(1 + 100 * (y - x ** 2) ** 2 + (1 - x) ** 2);
    },
  },
  {
    name: 'training',
    parameters: {
      method: { values: ['sgd', 'adam', 'adagrad'] },
      momentum: { ...uniform(0, 1), when: { method: 'sgd' } },
      rate: logUniform(1e-5, 1),
      units: { distribution: 'q_uniform', min: 8, max: 256, q: 8 },
    },
    loss: (point) => {
      const base = { sgd: 0.3 + Math.abs(at(point, 'momentum') - 0.9), adam: 0, adagrad: 0.5 }[String(point.method)];
      return base! + Math.log10(at(point, 'rate') / 0.003) ** 2 + ((at(point, 'units') - 96) / 100) ** 2;
    },
  },
  {
    name: 'mixed',
    parameters: {
      layers: { min: 1, max: 8 },
      activation: { values: ['relu', 'tanh', 'gelu', 'elu'] },
      drop: uniform(0, 0.8),
      decay: logUniform(1e-6, 1e-1),
      rate: logUniform(1e-5, 1e-1),
    },
    loss: (point) => {
      const off = at(point, 'layers') - 3;
      const activation = { relu: 0.2, tanh: 0.4, gelu: 0, elu: 0.3 }[String(point.activation)]!;
      const rate = (Math.log10(at(point, 'rate')) + 3) ** 2 * (1 + 0.3 * off ** 2);
      const decay = 0.1 * (Math.log10(at(point, 'decay')) + 4) ** 2;
      return (off / 4) ** 2 + activation + (at(point, 'drop') - 0.3) ** 2 + decay + rate;
    },
  },
];

/** The loss of the best trial for each seed from 0, trials drawn one after the other. */
function bestOf(method: SweepMethod, { parameters, loss }: Problem, seeds: number): number[] {
  const space = readSearchSpace(parameters);
  return Array.from({ length: seeds }, (_, seed) => {
    const history: PastTrial[] = [];
    for (let number = 0; number < oracle.trials; number++) {
      const point = proposeTrial({ method, space, seed, number, history }) ?? {};
      history.push({ number, point, outcome: loss(point) });
    }
    return Math.min(...history.map(({ outcome }) => Number(outcome)));
  });
}

/** The one-sided p that `a` is greater than `b`, by seeds. */
function pGreater(a: readonly number[], b: readonly number[]): number {
  return wilcoxonTest(a.map((value, index) => value - b[index]!)).pAbove;
}

describe.each(PROBLEMS.map((problem) => [problem.name, problem] as const))('on %s', (name, problem) => {
  const optuna = oracle.best[name]!;
  const ours = bestOf('tpe', problem, optuna.length);

  test('tpe is not worse than that of Optuna', () => {
    expect(pGreater(ours, optuna)).toBeGreaterThan(0.05);
  });

  test('tpe is better than random draws', () => {
    expect(pGreater(bestOf('random', problem, optuna.length), ours)).toBeLessThan(0.05);
  });
});
