import { describe, expect, it } from 'vitest';
import type { TableBlock } from '#src/base/contracts/report/reportBlock.ts';
import { compareRuns } from '#src/comparisons/compareRuns.ts';
import { pairedTests } from '#src/comparisons/pairedTests.ts';
import { createExternalRun, finishExternalRun } from '#src/external/externalRuns.ts';
import { logExternalMetrics } from '#src/external/logExternal.ts';
import { defineMetrics } from '#src/metrics/metricDefinitions.ts';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { listRuns } from '#src/runs/listRuns.ts';
import { runGroups } from '#src/runs/runGroups.ts';
import { blockMarkdown } from '#src/reports/blockMarkdown.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const artifacts = await openArtifactStore(temporaryFolder());
const METRIC = 'valid/score';
const GUIDE = 'valid/loss';

/** Which value a plain reading of the points takes, so that no code of ours says what is right. */
const PLAIN: Readonly<Record<string, (values: number[], guide: number[]) => number>> = {
  last: (values) => values.at(-1)!,
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  mean: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  [`at the best ${GUIDE}`]: (values, guide) => values[guide.indexOf(Math.min(...guide))]!,
};

/** Two configurations over four seeds, whose programs gave the rule, with what they logged. */
async function programs(project: string, rule: 'last' | 'max' | 'min' | 'mean' | null, seed: number) {
  const random = randomGenerator(seed, 'points');
  const made: { id: string; width: number; values: number[]; guide: number[] }[] = [];
  for (const width of [8, 32]) {
    for (const of of [1, 2, 3, 4]) {
      const run = await createExternalRun(context, { project, parameters: { width }, seed: of });
      const draw = () => Array.from({ length: 7 }, () => random.nextFloat() + width / 100);
      const [values, guide] = [draw(), draw()];
      await defineMetrics(context, {
        runId: run.id,
        definitions: [{ name: METRIC, summary: rule, goal: 'maximize' }],
      });
      const steps = values.map((_, step) => step);
      await logExternalMetrics(context, {
        runId: run.id,
        series: [
          { name: METRIC, steps, values },
          { name: GUIDE, steps, values: guide },
        ],
      });
      await finishExternalRun(context, { runId: run.id });
      made.push({ id: run.id, width, values, guide });
    }
  }
  return made;
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('which value of a run counts', () => {
  it.each([
    [null, 'last', 'last'],
    ['max', 'last', 'max'],
    ['min', 'last', 'min'],
    ['mean', 'last', 'mean'],
    ['mean', 'best', 'max'],
    [null, 'best', 'max'],
    ['max', GUIDE, `at the best ${GUIDE}`],
  ] as const)('has one answer where programs gave the rule %s and %s is asked for: %s', async (rule, value, means) => {
    const project = `one-${rule}-${value === GUIDE ? 'guide' : value}`;
    const made = await programs(project, rule, 7 + means.length);
    const expected = new Map(made.map(({ id, values, guide }) => [id, PLAIN[means]!(values, guide)]));
    const ofWidth = (width: number) =>
      meanOf(made.filter((run) => run.width === width).map(({ id }) => expected.get(id)!));
    const choice = {
      at: value === 'best' ? ('BEST' as const) : ('LAST' as const),
      bestOf: value === GUIDE ? GUIDE : null,
    };

    const ids = made.map(({ id }) => id);
    const comparison = await compareRuns(context, ids, choice);
    const compared = comparison.metrics.find(({ name }) => name === METRIC)!;
    expect(compared.rules).toEqual([means]);
    expect(compared.final).toEqual(ids.map((id) => expect.closeTo(expected.get(id)!, 12)));

    const [tested] = await pairedTests({ ...context, artifacts }, comparison, { metrics: [METRIC] });
    expect(tested).toMatchObject({ rules: [means], chosenOnTest: false });

    const metrics = [{ name: METRIC, ...choice }];
    const groups = await runGroups(context, { project, groupBy: ['config.width'], metrics, baseline: ids[0]! });
    for (const { node } of groups.edges) {
      const width = Number(node.values[0]);
      expect(node.metrics[0]!.mean).toBeCloseTo(ofWidth(width), 12);
      const group = comparison.groups.find(({ runIds }) => made.find(({ id }) => id === runIds[0])!.width === width)!;
      expect(group.metrics.find(({ name }) => name === METRIC)!.mean).toBeCloseTo(ofWidth(width), 12);
    }
    const shownP = groups.edges.find(({ node }) => !node.isBaseline)!.node.metrics[0]!.test!.test?.p;
    expect(tested!.tests[0]!.test?.p).toBeCloseTo(shownP!, 12);

    const block: TableBlock = {
      ...{ type: 'table', title: null, shown: { runs: null, project, filter: '' }, groupBy: [] },
      ...{ metrics: [METRIC], values: value, baseline: null, columns: [], order: null, first: 50 },
    };
    const table = await blockMarkdown({ ...context, artifacts }, block, project);
    expect(table).toContain(means === 'last' ? `| ${METRIC} |` : `${METRIC} (${means})`);
    const shown = table.split('\n').flatMap((line) => /^\| *\d+ \|.*\| *([-\d.]+) *\|$/.exec(line)?.[1] ?? []);
    const sorted = (values: Iterable<number>) => [...values].sort((one, other) => one - other);
    // four digits are shown
    expect(sorted(shown.map(Number))).toEqual(sorted(expected.values()).map((one) => expect.closeTo(one, 2)));

    if (value !== 'last') return;
    const { edges } = await listRuns(context, { project, orderBy: { by: `metric."${METRIC}"`, direction: 'ASC' } });
    const inOrder = [...expected].sort((a, b) => a[1] - b[1]).map(([id]) => id);
    expect(edges.map(({ node }) => node.id)).toEqual(inOrder);
  });

  it('says so where values are chosen by the test data', async () => {
    const run = async (width: number) => {
      const made = await createExternalRun(context, { project: 'chosen', parameters: { width }, seed: 1 });
      await defineMetrics(context, { runId: made.id, definitions: [{ name: 'test/acc', summary: 'max' }] });
      await logExternalMetrics(context, {
        runId: made.id,
        series: [{ name: 'test/acc', steps: [0, 1], values: [width, 0] }],
      });
      return made.id;
    };
    const ids = [await run(1), await run(2)];
    const byRule = await compareRuns(context, ids);
    expect(byRule.metrics).toMatchObject([{ name: 'test/acc', final: [1, 2], rules: ['max'], chosenOnTest: true }]);
    const atBest = await compareRuns(context, ids, { bestOf: 'test/acc' });
    expect(atBest.metrics[0]!.chosenOnTest).toBe(true);
    await expect(compareRuns(context, ids, { bestOf: 'valid/nothing' })).rejects.toMatchObject({ path: 'bestOf' });
  });
});
