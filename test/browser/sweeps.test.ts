import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { waitUntil } from '../integration/support/waitUntil.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { DATASET, dashboardForTests } from './support/dashboardForTests.ts';
import { expectAccessible } from './support/expectAccessible.ts';

const dashboard = hasChromium ? await dashboardForTests() : null;

describeInBrowser('sweeps', () => {
  const { api } = dashboard!;

  test('a sweep is filled in, refused at its fields, started, watched, filtered by keyboard, and its best is confirmed', async () => {
    const { page, context, faults } = await openPage(api.url);
    await page.goto('/sweeps');
    await page.getByRole('link', { name: 'Start the first one' }).click();
    await page.getByLabel('Kind').selectOption('item-knn');
    await waitUntil('the form of the kind', () => page.url().includes('kind=item-knn'));
    await page.getByRole('group', { name: 'Dataset' }).getByLabel('Name', { exact: true }).fill(DATASET);
    const start = page.getByRole('button', { name: 'Start sweep' });
    await start.click();
    await page.getByText('Choose at least one parameter').waitFor();
    await page.getByLabel('Vary a parameter').selectOption('parameters.shrinkage');
    await page.getByLabel('Vary a parameter').selectOption('parameters.neighbours');
    const shrinkage = page.getByRole('group', { name: /^Shrinkage/ });
    await shrinkage.getByLabel('from').fill('0');
    await shrinkage.getByLabel('to').fill('-5');
    await page.getByLabel('Sampler', { exact: true }).selectOption('sobol');
    await page.getByRole('group', { name: 'Budget' }).getByLabel('Trials', { exact: true }).fill('8');
    await page.getByLabel('Objective').fill('test/ndcg@10');
    await start.click();
    await page.getByText('the second must be greater').waitFor();
    await shrinkage.getByLabel('to').fill('100');
    await start.click();
    await page.getByText('is measured on the test data').waitFor();
    expect(await page.getByLabel('Objective').getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page, 'the form of a sweep');
    await page.getByLabel('Objective').fill('valid/ndcg@10');
    await start.click();

    await page.waitForURL(/\/sweeps\/1$/);
    await page.getByText('8 of 8 trials').waitFor({ timeout: 60_000 });
    await page.getByText('Finished').first().waitFor();
    await page.getByRole('img', { name: /^Best valid\/ndcg@10 so far over 8 trials: 0\.\d+ by trial/ }).waitFor();
    await page.getByRole('table', { name: 'Importance of parameters' }).getByText('shrinkage').waitFor();
    const rows = page.getByRole('region', { name: 'Trials' }).getByRole('row');
    expect(await rows.count()).toBe(9);
    // the plots of the two parameters take the whole width, and the objectives stand under each other
    const edge = async (locator: Locator) => await locator.evaluate((element) => element.getBoundingClientRect().right);
    expect(await edge(page.locator('.sweep-slice').last())).toBeCloseTo(await edge(page.locator('.sweep-slices')), 0);
    const objectives = await rows.locator('td:nth-child(3)').allInnerTexts();
    expect(objectives.every((text) => /^0\.\d{4}$/.test(text))).toBe(true);
    const end = page.getByRole('slider', { name: 'shrinkage, lower end of the filter' });
    for (let step = 0; step < 5; step++) await end.press('PageUp');
    await page.getByText(/^4 of 8 trials$/).waitFor();
    await waitUntil('the table follows', async () => (await rows.count()) === 5);
    await expectAccessible(page, 'the page of a sweep');
    await end.press('Escape');
    await waitUntil('all are back', async () => (await rows.count()) === 9);

    await page.getByRole('button', { name: 'Confirm best' }).click();
    await page.getByLabel('Fresh seeds').fill('2');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('2 runs are queued.').waitFor();
    await page.getByText(/on fresh seeds .* \(2\)/).waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Sweeps', exact: true }).click();
    await page.getByRole('row', { name: /sobol over item-knn Finished .*8 of 8/ }).waitFor();
    await expectAccessible(page, 'the page of sweeps');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a sweep file is pasted, its mistakes are shown, and the sweep is paused, extended and cancelled', async () => {
    const { page, context, faults } = await openPage(api.url, { width: 390, height: 800, colorScheme: 'dark' });
    await page.goto('/sweeps/new?from=file&project=pasted');
    const file = page.getByLabel('Sweep file');
    await file.fill('method: [');
    await page.getByRole('button', { name: 'Start sweep' }).click();
    await page.getByText(/at line 1/).waitFor();
    await file.fill(
      'method: grid\nname: pasted\nconcurrency: 1\nmetric: { name: valid/ndcg@10 }\nparameters:\n  neighbours: { min: 1, max: 2000 }',
    );
    await page.getByLabel('Kind').selectOption('item-knn');
    await page.getByLabel('Dataset').fill(DATASET);
    await page.getByRole('button', { name: 'Start sweep' }).click();
    await page.getByRole('heading', { level: 1, name: 'pasted' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused by hand').waitFor();
    await page.getByRole('button', { name: 'Extend' }).click();
    await page.getByLabel('Trials at once').fill('2');
    await page.getByRole('button', { name: 'Extend', exact: true }).click();
    await page.getByText('2 trials', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel sweep' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel sweep' }).click();
    await page.getByText('cancelled by hand').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a sweep over a function says what starts an agent, and agents are to confirm its best', async () => {
    const graphql = async (query: string, variables: Record<string, unknown> = {}) => await api.ok(query, variables);
    const file = { method: 'grid', metric: { name: 'loss' }, parameters: { lr: { values: [0.5] } } };
    const { createSweep } = await graphql(
      'mutation ($file: JSON!) { createSweep(input: { file: $file }) { sweep { number } } }',
      { file: { kind: 'external', name: 'mine', ...file } },
    );
    const { number } = createSweep.sweep;
    const { page, context, faults } = await openPage(api.url);
    await page.goto(`/sweeps/${number}`);
    const starts = `warren.agent("${number}", function) or, in Node, await warren.agent(${number}, train)`;
    await page.getByText(`Agents take its trials: ${starts}`).waitFor();
    const runId = randomUUID();
    await graphql(`mutation { takeTrial(input: { sweep: "${number}", runId: "${runId}" }) { outcome } }`);
    await graphql(`mutation { logMetrics(runId: "${runId}", series: [{ name: "loss", steps: [0], values: [1] }])
      finishRun(runId: "${runId}") { id } }`);
    await page.getByRole('button', { name: 'Confirm best' }).click();
    await page.getByLabel('Fresh seeds').fill('2');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('The next agents that ask execute it with 2 fresh seeds.').waitFor();
    await page.getByText(/^seeds 2, 3 for agents to confirm it: warren\.agent/).waitFor();
    await expectAccessible(page, 'a sweep that agents are to confirm');
    const { confirmSweep } = await graphql(`mutation { confirmSweep(id: "${number}", seeds: 1) { id } }`);
    expect(confirmSweep).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a program of a run is queued again with another value, and swept over, one parameter beside a value of another', async () => {
    const db = openDatabase(api.postgres.url);
    const { token } = await issueToken({ db }, { name: 'commands', role: 'WRITE', mayQueueCommands: true });
    await closeDatabase(db);
    const input = { project: 'own', command: ['train', '--lr={lr}'], parameters: { lr: 0.1 } };
    const queue = 'mutation ($input: EnqueueCommandInput!) { enqueueCommand(input: $input) { number } }';
    const sent = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: queue, variables: { input } }),
    });
    const answer: { data: { enqueueCommand: { number: number }[] } } = JSON.parse(await sent.text());
    const { page, context, faults } = await openPage(api.url);
    await page.addInitScript((value) => sessionStorage.setItem('warren.token', value), token);
    await page.goto(`/runs/${answer.data.enqueueCommand[0]!.number}`);
    await page.getByRole('link', { name: 'Run again with …' }).click();
    const command = page.getByRole('textbox', { name: 'Command' });
    await command.fill('train\n--lr={lr}\n--optimizer={optimizer}');
    await page.getByLabel('lr', { exact: true }).fill('0.2');
    await page.getByRole('button', { name: 'Queue run' }).click();
    await page.getByText('It has no value.').waitFor();
    await page.getByLabel('optimizer', { exact: true }).fill('adam');
    await expectAccessible(page, 'the form of a program');
    await page.getByRole('button', { name: 'Queue run' }).click();
    await page.getByText(/^Run #\d+ is queued\.$/).waitFor();

    await page.getByRole('link', { name: 'Sweep over it …' }).click();
    await page.getByRole('button', { name: 'Vary optimizer' }).click();
    await page.getByLabel('Values of optimizer, separated by commas').fill('adam, sgd');
    await page.getByRole('button', { name: 'Vary lr' }).click();
    await page.getByRole('button', { name: 'Draw lr only beside certain values' }).click();
    await page.getByLabel('Objective').fill('loss');
    await page.getByRole('button', { name: 'Start sweep' }).click();
    await page.getByText('Only beside certain values of optimizer: choose some.').waitFor();
    await page.getByRole('group', { name: 'Condition of lr' }).getByLabel('sgd').check();
    await page.getByLabel('Direction').selectOption('minimize');
    await expectAccessible(page, 'the form of a sweep over a program');
    await page.getByRole('button', { name: 'Start sweep' }).click();
    await page.getByRole('heading', { level: 1, name: 'tpe over train' }).waitFor();
    await page.getByText('4 trials', { exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/workers');
    const reason = (await page
      .getByText(/^waits for a worker that executes commands/)
      .first()
      .boundingBox())!;
    expect(reason.x + reason.width, 'the reason is in sight on a phone').toBeLessThanOrEqual(390);
    expect(faults).toEqual([]);
    await context.close();
  });
});
