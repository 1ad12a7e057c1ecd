import { describe, expect, it } from 'vitest';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { createExternalRun, finishExternalRun, forkExternalRun } from '#src/external/externalRuns.ts';
import { logExternalMetrics } from '#src/external/logExternal.ts';
import { resumeExternalRun } from '#src/external/resumeExternalRun.ts';
import { correctMetrics } from '#src/metrics/metricDefinitions.ts';
import { packPoints } from '#src/metrics/packPoints.ts';
import { deleteRuns, restoreRuns } from '#src/runs/deleteRuns.ts';
import { listRuns } from '#src/runs/listRuns.ts';
import { runGroups } from '#src/runs/runGroups.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const client = await connectPostgres(postgres.url, { applicationName: 'test' });
// tables as small as a test's would be read whole, and the index never
await client.query(`DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET enable_seqscan = off', current_database());
  EXECUTE format('ALTER DATABASE %I SET enable_bitmapscan = off', current_database());
END $$`);
const context = await servicesForTests(postgres.url);
const SEED = 20_261_125;
const PROJECT = 'answers';
const METRICS = ['valid/loss', 'valid/mrr'];
const ODD = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

interface Truth {
  id: string;
  number: number;
  seed: number;
  inTrash: boolean;
  last: number | null;
  minimum: number | null;
  maximum: number | null;
  rule: string | null;
}

/** What the points themselves say of a metric in each run, past all summaries. */
async function truth(metric: string): Promise<Truth[]> {
  const { rows } = await client.query<Truth>(
    `SELECT run.id, run.number, run.seed, run.deleted_at IS NOT NULL AS "inTrash", point.last, point.minimum, point.maximum,
       (SELECT summary FROM metric_definition WHERE run_id = run.id AND name = $1) AS rule
     FROM run LEFT JOIN metric_series series ON series.run_id = run.id AND series.name = $1
     LEFT JOIN LATERAL (
       SELECT (array_agg(value ORDER BY step DESC))[1] AS last,
         min(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS minimum,
         max(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS maximum
       FROM series_points(series.id)) point ON true
     ORDER BY run.number`,
    [metric],
  );
  return rows;
}

function standing({ last, minimum, maximum, rule }: Truth): number | null {
  if (rule === 'min') return minimum ?? last;
  return rule === 'max' ? (maximum ?? last) : last;
}

/** Runs without a value and NaNs come last, in both directions. */
function inOrder(runs: readonly Truth[], descending: boolean): number[] {
  const sign = descending ? -1 : 1;
  const key = (run: Truth) => {
    const value = standing(run);
    return value === null || Number.isNaN(value) ? null : value;
  };
  return [...runs]
    .sort((a, b) => {
      const [one, other] = [key(a), key(b)];
      if (one === other) return sign * (a.number - b.number);
      if (one === null || other === null) return one === null ? 1 : -1;
      return sign * (one < other ? -1 : 1);
    })
    .map(({ number }) => number);
}

async function numbers(input: Parameters<typeof listRuns>[1]): Promise<number[]> {
  const { edges } = await listRuns(context, { project: PROJECT, first: 500, ...input });
  return edges.map(({ node }) => node.number);
}

/** Compares the answers about each metric with what its points say. */
async function expectRightAnswers(told: string): Promise<void> {
  for (const metric of METRICS) {
    const all = await truth(metric);
    const runs = all.filter(({ inTrash }) => !inTrash);
    const field = `metric."${metric}"`;
    for (const direction of ['ASC', 'DESC'] as const) {
      expect(await numbers({ orderBy: { by: field, direction } }), told).toEqual(inOrder(runs, direction === 'DESC'));
    }
    const having = (test: (run: Truth) => boolean) => runs.filter(test).map(({ number }) => number);
    const above = (run: Truth) => standing(run) !== null && standing(run)! > 0.5;
    expect(
      (await numbers({ filter: `${field} > 0.5` })).sort((a, b) => a - b),
      told,
    ).toEqual(having(above));
    const either = await numbers({ filter: `seed = 1 or ${field} > 0.5` });
    expect(
      either.sort((a, b) => a - b),
      told,
    ).toEqual(having((run) => run.seed === 1 || above(run)));
    const least = await numbers({ filter: `min."${metric}" <= 0.2` });
    expect(
      least.sort((a, b) => a - b),
      told,
    ).toEqual(having(({ minimum }) => minimum !== null && minimum <= 0.2));
    await expectRightGroups(metric, runs, told);
  }
}

async function expectRightGroups(metric: string, runs: readonly Truth[], told: string): Promise<void> {
  const { edges } = await runGroups(context, { project: PROJECT, groupBy: ['seed'], metrics: [{ name: metric }] });
  const found = new Map(edges.map(({ node }) => [node.values[0], { runs: node.runCount, n: node.metrics[0]!.n }]));
  for (const seed of new Set(runs.map((run) => run.seed))) {
    const group = runs.filter((run) => run.seed === seed);
    const values = group.flatMap((run) => standing(run) ?? []);
    expect(found.get(seed), told).toEqual({ runs: group.length, n: values.length });
    const { minimum } = edges.find(({ node }) => node.values[0] === seed)!.node.metrics[0]!;
    const proper = values.filter((value) => !Number.isNaN(value));
    expect(minimum, told).toBe(proper.length === 0 ? null : Math.min(...proper));
  }
}

describe('orders, filters and groups by a metric', () => {
  it('say what the points say, whatever writers do at the same time, and between', async () => {
    const random = randomGenerator(SEED, 'metric answers');
    const below = (limit: number) => random.nextInt(limit);
    const ids: string[] = [];
    const begin = async () => {
      ids.push((await createExternalRun(context, { project: PROJECT, seed: below(3) })).id);
    };
    for (let i = 0; i < 6; i++) await begin();
    const done = new Map<string, number>();

    /** One thing that may happen to a run; what its state does not allow is refused, which is right as well. */
    const happening = (): (() => Promise<unknown>) => {
      const runId = ids[below(ids.length)]!;
      const first = below(40);
      const value = below(8) === 0 ? ODD[below(3)]! : random.nextFloat();
      const series = [{ name: METRICS[below(2)]!, steps: [first, first + 3], values: [random.nextFloat(), value] }];
      const state = (['SUCCEEDED', 'FAILED', 'CANCELLED'] as const)[below(3)]!;
      const summary = (['last', 'min', 'max'] as const)[below(3)]!;
      const afterStep = below(40);
      const definitions = [{ name: METRICS[below(2)]!, summary }];
      const things: Record<string, () => Promise<unknown>> = {
        begin,
        log: () => logExternalMetrics(context, { runId, series }),
        again: () => logExternalMetrics(context, { runId, series: [{ ...series[0]!, steps: [first, first + 1] }] }),
        end: () => finishExternalRun(context, { runId, state }),
        resume: () => resumeExternalRun(context, { runId, afterStep }),
        fork: async () => ids.push((await forkExternalRun(context, { runId, step: afterStep })).id),
        trash: () => deleteRuns(context, [runId]),
        restore: () => restoreRuns(context, [runId]),
        rule: () => correctMetrics(context, { id: runId, definitions }),
        pack: () => packPoints(context, { after: '-1' }),
        vacuum: () => client.query('VACUUM metric_series'),
      };
      const weights = { log: 8, again: 4, end: 3, resume: 3 };
      const names = Object.keys(things).flatMap((name) =>
        Array.from({ length: name in weights ? weights[name as keyof typeof weights] : 1 }, () => name),
      );
      const name = names[below(names.length)]!;
      return async () => {
        const worked = await things[name]!().then(
          () => true,
          (error: unknown) => {
            if (error instanceof Error && 'code' in error && ['CONFLICT', 'BAD_INPUT'].includes(String(error.code)))
              return false;
            throw error;
          },
        );
        if (worked) done.set(name, (done.get(name) ?? 0) + 1);
      };
    };

    for (let round = 0; round < 30; round++) {
      await Promise.all(Array.from({ length: 6 }, () => happening()()));
      if (round % 2 === 0) await client.query('VACUUM metric_series');
      await expectRightAnswers(`seed ${SEED}, round ${round}`);
    }
    expect(
      Math.min(...['log', 'end', 'resume', 'fork', 'trash', 'rule'].map((name) => done.get(name) ?? 0)),
    ).toBeGreaterThan(2);
    await client.end();
  });

  it('read the summaries of a metric from its index alone', async () => {
    const other = await connectPostgres(postgres.url, { applicationName: 'test' });
    const { rows } = await other.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT run_id, last_value, minimum, maximum FROM metric_series WHERE name = 'valid/loss' AND point_count > 0`,
    );
    await other.end();
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(
      'Index Only Scan using metric_series_name_last_value_idx',
    );
  });
});
