import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { judge, type RungValue, rungsUpTo } from '#src/sweeps/search/earlyStopping.ts';
import { readSweepFile } from '#src/sweeps/search/sweepDefinition.ts';
import optunaPruners from './optunaPruners.json';

const oracle = z
  .object({
    curves: z.array(z.array(z.number())),
    cases: z.array(
      z.object({
        early_terminate: z.looseObject({ type: z.string() }),
        atOnce: z.number(),
        most: z.number(),
        stopped: z.array(z.number().nullable()),
      }),
    ),
  })
  .parse(optunaPruners);

type Case = (typeof oracle.cases)[number];

/** The iteration at which each curve is stopped, reported as optunaPruners.py reports them. */
function stops({ early_terminate, atOnce, most }: Case): (number | null)[] {
  const curves = oracle.curves.map((curve) => curve.slice(0, most));
  const { earlyStopping } = readSweepFile({
    ...{ method: 'random', kind: 'sasrec', metric: { name: 'valid/ndcg@10', goal: 'maximize' }, run_cap: 9 },
    ...{ early_terminate, parameters: { epochs: { value: 27 } } },
  }).definition;
  const stopped: (number | null)[] = curves.map(() => null);
  const finished = new Set<number>();
  const rungs: Omit<RungValue, 'finished'>[] = [];
  const waiting = [...curves.keys()];
  let running: { trial: number; iteration: number }[] = [];
  while (waiting.length + running.length > 0) {
    for (const trial of waiting.splice(0, atOnce - running.length)) running.push({ trial, iteration: 0 });
    running = running.flatMap(({ trial, iteration: before }) => {
      const iteration = before + 1;
      if (rungsUpTo(earlyStopping!, iteration).at(-1) === iteration) {
        const own = { trial, iteration, value: curves[trial]![before]! };
        const known = rungs.map((rung) => ({ ...rung, finished: finished.has(rung.trial) }));
        rungs.push(own);
        if (!judge(earlyStopping!, own, known).goesOn) {
          stopped[trial] = iteration;
          return [];
        }
      }
      if (iteration < curves[trial]!.length) return [{ trial, iteration }];
      finished.add(trial);
      return [];
    });
  }
  return stopped;
}

describe('early stopping of recorded validation curves', () => {
  test.each(oracle.cases)("stops where Optuna's pruners do: $early_terminate, $atOnce at once", (one) => {
    expect(stops(one)).toEqual(one.stopped);
  });
});
