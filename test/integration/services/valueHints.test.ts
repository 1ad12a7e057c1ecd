import { expect, test } from 'vitest';
import { createExternalRun } from '#src/external/externalRuns.ts';
import { listRuns } from '#src/runs/listRuns.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);

for (const [index, model] of ['mlp', 'svc', 'forest'].entries()) {
  const parameters = { model, net: { layers: index + 2 } };
  await createExternalRun(context, { project: 'digits', parameters, user: index === 0 ? 'ada' : 'ben' });
}
await createExternalRun(context, { project: 'others', parameters: { model: 'svm' }, user: 'cas' });

const hintsOf = async (filter: string, project?: string) =>
  await (await listRuns(context, { filter, ...(project !== undefined && { project }) })).hints();

test('a filter that matches nothing says which values, users and projects may be meant', async () => {
  expect(await hintsOf('config.model = svm', 'digits')).toEqual(['no run has config.model = svm. Did you mean "svc"?']);
  expect(await hintsOf('config.net.layers = 9', 'digits')).toEqual([
    'no run has config.net.layers = 9. There are 2, 3, 4.',
  ]);
  expect(await hintsOf('user = adda', 'digits')).toEqual(['no run has the user "adda". Did you mean "ada"?']);
  expect(await hintsOf('user = cas', 'digits')).toEqual(['no run has the user "cas". There are ada, ben.']);
  expect(await hintsOf('project = digts')).toEqual(['no run has the project "digts". Did you mean "digits"?']);
  // each has a run, though none has both
  expect(await hintsOf('config.model = svm and user = ada and project = digits')).toEqual([]);
});
