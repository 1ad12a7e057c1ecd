import { expect, it } from 'vitest';
import { createExternalRun } from '#src/external/externalRuns.ts';
import { logExternalMetrics } from '#src/external/logExternal.ts';
import { createAddressGuard } from '#src/base/platform/outgoing/addressGuard.ts';
import { saveAlertRule } from '#src/alerts/alertRules.ts';
import { listRuns } from '#src/runs/listRuns.ts';
import { runGroups } from '#src/runs/runGroups.ts';
import { saveView } from '#src/views/savedViews.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const project = 'names';

it('takes a name that stands for one field of the project alone, in filters, orders, groups, views and rules', async () => {
  for (const [dim, rate] of [
    [8, 0.1],
    [32, 0.2],
  ] as const) {
    const parameters = { dim, optimizer: { rate }, a: { depth: 1 }, b: { depth: 2 } };
    const run = await createExternalRun(context, { project, parameters, seed: 1 });
    await logExternalMetrics(context, { runId: run.id, series: [{ name: 'valid/score', steps: [0], values: [dim] }] });
  }
  const found = async (filter: string, by = 'number') => {
    const { edges } = await listRuns(context, { project, filter, orderBy: { by, direction: 'ASC' } });
    return edges.length;
  };
  expect(await found('dim = 32')).toBe(1);
  expect(await found('dim > 1 and rate < .15 and score > 1')).toBe(1);
  expect(await found('kind = external', 'rate')).toBe(2);
  await expect(found('depth = 1')).rejects.toThrow('"depth" may be config.a.depth, config.b.depth: write one of them');
  await expect(found('rat = 1')).rejects.toThrow('there is no field "rat"');
  expect(await found('dim = 33')).toBe(0);

  const groups = await runGroups(context, { project, groupBy: ['rate'] });
  expect(groups.fields).toEqual(['config.parameters.optimizer.rate']);
  expect(groups.edges.map(({ node }) => node.values)).toHaveLength(2);
  await expect(runGroups(context, { project, groupBy: ['depth'] })).rejects.toThrow('may be config.a.depth');

  await expect(saveView(context, { project, name: 'v', settings: { filter: 'dim = 8' } })).resolves.toBeDefined();
  await expect(saveView(context, { project, name: 'w', settings: { filter: 'dam = 8' } })).rejects.toThrow('no field');
  const condition = { trigger: 'RUN_ENDED' } as const;
  const { rule } = await saveAlertRule(
    context,
    { project, name: 'r', condition, filter: 'rate > .1' },
    { isAdmin: true, sendsMail: false, guard: createAddressGuard([]) },
  );
  expect(rule.filter).toBe('config.parameters.optimizer.rate > 0.1');
});
