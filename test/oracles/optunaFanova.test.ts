import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parameterImportance } from '#src/sweeps/search/importance/parameterImportance.ts';
import { readSearchSpace } from '#src/sweeps/search/searchSpace.ts';
import { oracleFile } from './oracleFile.ts';

const { problems } = oracleFile(
  'optunaFanova.json',
  z.object({
    problems: z.record(
      z.string(),
      z.object({
        paths: z.array(z.string()),
        points: z.array(z.array(z.unknown())),
        values: z.array(z.number()),
        importance: z.record(z.string(), z.number()),
      }),
    ),
  }),
);

const uniform = (min: number, max: number) => ({ distribution: 'uniform', min, max });

/** The search spaces of optunaFanova.py. */
const SPACES: Readonly<Record<string, Record<string, unknown>>> = {
  additive: { a: uniform(0, 1), b: uniform(0, 1), c: uniform(0, 1) },
  interaction: { x: uniform(-1, 1), y: uniform(-1, 1), z: uniform(-1, 1) },
  training: {
    method: { values: ['sgd', 'adam', 'adagrad'] },
    exponent: uniform(-5, 0),
    units: { min: 8, max: 256 },
  },
  mixed: {
    layers: { min: 1, max: 8 },
    activation: { values: ['relu', 'tanh', 'gelu', 'elu'] },
    drop: uniform(0, 0.8),
    exponent: uniform(-5, -1),
  },
  thousand: Object.fromEntries([0, 1, 2, 3, 4, 5].map((index) => [`x${index}`, uniform(0, 1)])),
};

describe('importance of parameters', () => {
  test.each(Object.keys(SPACES))("agrees with Optuna's fANOVA within .05: %s", async (name) => {
    const { paths, points, values, importance } = problems[name]!;
    const trials = points.map((point, trial) => ({
      point: Object.fromEntries(paths.map((path, index) => [path, point[index]])),
      objective: values[trial]!,
    }));
    const found = await parameterImportance(readSearchSpace(SPACES[name]), trials, async () => {});
    expect(found.map(({ path }) => path).sort()).toEqual([...paths].sort());
    for (const one of found) expect(Math.abs(one.importance - importance[one.path]!), one.path).toBeLessThan(0.05);
  });
});
