import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../integration/support/apiForTests.ts';
import { createExternalRun, LOG_METRICS } from '../integration/support/externalRunCalls.ts';
import { describeInBrowser, hasChromium, openPage } from './support/chromium.ts';
import { expectFocused, findAndGo, tabTo } from './support/keyboard.ts';

const api = hasChromium ? await apiForTests({ dashboardFolder: builtFile('web') }) : null!;

const FINISH =
  'mutation ($runId: ID!, $state: RunState!, $error: String) { finishRun(runId: $runId, state: $state, errorMessage: $error) { id } }';
/** Each about 0.02 better than the one before. */
const CONFIGURATIONS = [
  { model: 'gru4rec', learningRate: 0.001 },
  { model: 'gru4rec', learningRate: 0.003 },
  { model: 'sasrec', learningRate: 0.001 },
  { model: 'sasrec', learningRate: 0.003 },
  { model: 'sasrec', learningRate: 0.01 },
];

interface Journey {
  page: Page;
  /** One thing that the user does: a click, a choice, a text with Enter. */
  act(what: () => Promise<unknown>): Promise<void>;
  /** How many they were. */
  actions(): number;
}

/** From the home page on. */
async function journey(): Promise<Journey> {
  const { page } = await openPage(api.url);
  await page.goto('/');
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  let count = 0;
  return {
    page,
    act: async (what) => {
      count += 1;
      await what();
    },
    actions: () => count,
  };
}

// Which configuration is best, and curves by model: runsTable.test.ts.
describeInBrowser('at most five actions from the home page', () => {
  beforeAll(async () => {
    await api.ok('mutation { createProject(name: "papers") { id } }');
    const steps = Array.from({ length: 20 }, (_, step) => step);
    for (const [index, parameters] of CONFIGURATIONS.entries()) {
      for (const seed of [1, 2, 3]) {
        const input = { project: 'papers', name: parameters.model, seed, parameters };
        const runId = await createExternalRun(api, input);
        const losses = steps.map((step) => 2 * Math.exp(-step * 50 * parameters.learningRate) + 0.01 * seed);
        const series = [
          { name: 'train/loss', steps, values: losses },
          { name: 'test/ndcg@10', steps: [19], values: [0.2 + 0.02 * index + 0.001 * ((3 * seed + 5 * index) % 7)] },
        ];
        await api.ok(LOG_METRICS, { runId, series });
        await api.ok(FINISH, { runId, state: 'SUCCEEDED' });
      }
    }
    const parameters = { model: 'bert4rec', learningRate: 0.001 };
    const failed = await createExternalRun(api, { project: 'papers', name: 'bert4rec', seed: 1, parameters });
    const lines = [{ level: 'error', text: 'the gradient of layer 3 is not finite' }];
    await api.ok('mutation ($id: ID!, $lines: [LogLineInput!]!) { logLines(runId: $id, from: 0, lines: $lines) }', {
      ...{ id: failed, lines },
    });
    await api.ok(FINISH, { runId: failed, state: 'FAILED', error: 'the loss is not finite at step 12' });
  });

  test('why did this fail', async () => {
    const { page, act, actions } = await journey();
    await act(() => page.getByRole('region', { name: 'Failed' }).getByRole('link', { name: 'bert4rec' }).click());
    await page.getByText('the loss is not finite at step 12').waitFor();
    await page.getByText('Mend it, then run again').waitFor();
    await page.getByText('the gradient of layer 3 is not finite').waitFor();
    expect(actions()).toBeLessThanOrEqual(5);
    await page.context().close();
  });

  test('what changed between two runs', async () => {
    const { page, act, actions } = await journey();
    await act(() => page.getByRole('link', { name: 'papers' }).click());
    // what tells runs apart stands in the table already
    await page.getByRole('columnheader', { name: 'learningRate' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Kind' }).count()).toBe(0);
    expect(await page.getByRole('columnheader', { name: 'Dataset' }).count()).toBe(0);
    await act(() => page.getByRole('checkbox', { name: 'Select run 15, ' }).click());
    await act(() => page.getByRole('checkbox', { name: 'Select run 12, ' }).click());
    await act(() => page.getByRole('button', { name: 'Compare' }).click());
    const differences = page.getByRole('region', { name: /onfiguration/ }).first();
    await differences.getByText('learningRate', { exact: true }).waitFor();
    expect(await differences.textContent()).toMatch(/0\.003.*0\.01|0\.01.*0\.003/s);
    expect(actions()).toBeLessThanOrEqual(5);
    await page.context().close();
  });

  test('the table for my paper', async () => {
    const { page, act, actions } = await journey();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await act(() => page.getByRole('link', { name: 'papers' }).click());
    await act(() => page.getByRole('button', { name: 'Group by' }).click());
    await act(() => page.getByLabel('All but seed').check());
    await page.getByText('6 groups of 16 runs').waitFor();
    await act(() => page.getByRole('button', { name: 'Export' }).click());
    await act(() => page.getByRole('button', { name: 'Copy LaTeX' }).click());
    await page.getByText('LaTeX copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('\\toprule');
    expect(copied).toMatch(/sasrec & 0\.01 & 3 & \\textbf\{0\.28/);
    expect(actions()).toBeLessThanOrEqual(5);

    // as from another machine without HTTPS, where pages have no clipboard
    await page.evaluate(async () => {
      await navigator.clipboard.writeText('');
      Object.defineProperty(window, 'isSecureContext', { value: false });
    });
    await page.getByRole('button', { name: 'Copy LaTeX' }).click();
    await page.getByText('LaTeX copied').nth(1).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(copied);
    await page.getByRole('button', { name: 'Compare them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor();
    await page.getByText('16 runs', { exact: true }).first().waitFor();
    await page.context().close();
  });

  test('share with my supervisor', async () => {
    const { page, act, actions } = await journey();
    await act(() => page.getByRole('link', { name: 'papers' }).click());
    await act(() => page.getByRole('button', { name: 'Share' }).click());
    await act(() => page.getByRole('button', { name: 'Make a link' }).click());
    const address = await page.getByLabel('The link').inputValue();
    const other = await openPage(api.url);
    await other.page.goto(address);
    await other.page.getByText('16 runs', { exact: true }).waitFor();
    expect(other.faults).toEqual([]);
    expect(actions()).toBeLessThanOrEqual(5);
    await Promise.all([page.context().close(), other.context.close()]);
  });

  // The same data: each question once more, without a pointer.
  describe('by the keyboard alone', () => {
    const key = async (page: Page, ...keys: string[]) => {
      for (const one of keys) await page.keyboard.press(one);
    };

    test('why did this fail', async () => {
      const { page } = await journey();
      await tabTo(page, page.getByRole('region', { name: 'Failed' }).getByRole('link', { name: 'bert4rec' }));
      await key(page, 'Enter');
      await page.getByText('Mend it, then run again').waitFor();
      await tabTo(page, page.getByRole('tab', { name: 'Overview' }));
      await key(page, 'ArrowRight', 'ArrowRight');
      await page.context().close();
    });

    test('which of five configurations is best, and is it so', async () => {
      const { page } = await journey();
      await findAndGo(page, 'papers', /^papers \d+ runs$/);
      const group = page.getByRole('button', { name: 'Group by' });
      await tabTo(page, group);
      await key(page, 'Enter');
      await tabTo(page, page.getByLabel('All but seed'));
      await key(page, 'Space', 'Escape');
      await expectFocused(group);
      const table = page.getByRole('region', { name: 'Groups of runs' });
      const pin = table.getByRole('button', { name: /^Set as baseline: .*gru4rec.* 0\.001/ });
      await tabTo(page, pin);
      await key(page, 'Enter');
      await table.getByText('better', { exact: true }).first().waitFor();
      await expectFocused(table.getByRole('button', { name: 'baseline', exact: true }));
      await page.context().close();
    });

    test('what changed between two runs', async () => {
      const { page } = await journey();
      await findAndGo(page, 'papers', /^papers \d+ runs$/);
      await tabTo(page, page.getByRole('button', { name: '#', exact: true }));
      await key(page, 'ArrowRight', 'ArrowDown');
      await expectFocused(page.getByRole('checkbox', { name: 'Select run 16, ' }));
      await key(page, 'j', 'Space', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Space');
      await page.getByText('2 selected').waitFor();
      await key(page, 'c');
      await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor();
      await page.getByText('learningRate', { exact: true }).first().waitFor();
      await page.context().close();
    });

    test('all loss curves with one learning rate, grouped by model', async () => {
      const { page } = await journey();
      await findAndGo(page, 'papers', /^papers \d+ runs$/);
      await page.getByLabel('Filter runs').waitFor();
      await key(page, '/');
      await page.keyboard.type('config.learningRate = 0.001 and state = SUCCEEDED');
      await key(page, 'Enter');
      await page.getByText('6 runs', { exact: true }).waitFor();
      await tabTo(page, page.getByRole('button', { name: 'Group by' }));
      await key(page, 'Enter');
      await tabTo(page, page.getByRole('checkbox', { name: 'model' }));
      await key(page, 'Space', 'Escape');
      await tabTo(page, page.getByRole('button', { name: 'Split' }), { back: true });
      await key(page, 'Space');
      const plot = page.getByRole('img', { name: /^Curves of train\/loss\./ });
      await tabTo(page, plot);
      await key(page, 'Home', 'ArrowRight', 'ArrowRight');
      await page.getByRole('status').getByText('gru4rec').waitFor();
      await page.context().close();
    });

    test('the table for my paper', async () => {
      const { page } = await journey();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await findAndGo(page, 'papers', /^papers \d+ runs$/);
      await tabTo(page, page.getByRole('button', { name: 'Group by' }));
      await key(page, 'Enter');
      await tabTo(page, page.getByLabel('All but seed'));
      await key(page, 'Space', 'Escape');
      await tabTo(page, page.getByRole('button', { name: 'Export' }));
      await key(page, 'Enter');
      await tabTo(page, page.getByRole('button', { name: 'Copy LaTeX' }));
      await key(page, 'Enter');
      await page.getByText('LaTeX copied').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('\\toprule');
      await page.context().close();
    });

    test('share with my supervisor', async () => {
      const { page } = await journey();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await findAndGo(page, 'papers', /^papers \d+ runs$/);
      const share = page.getByRole('button', { name: 'Share' });
      await tabTo(page, share);
      await key(page, 'Enter');
      await tabTo(page, page.getByRole('button', { name: 'Make a link' }));
      await key(page, 'Enter');
      await tabTo(page, page.getByRole('button', { name: 'Copy', exact: true }));
      await key(page, 'Enter');
      await page.getByText('The link is copied.').waitFor();
      await key(page, 'Escape');
      await expectFocused(share);
      await page.context().close();
    });

    test('notes stand in a column, are changed there, and get a paragraph for all that match', async () => {
      const { page } = await journey();
      await page.goto('/runs?project=papers&columns=name,notes&filter=number%20in%20(15,%2016)');
      const box = page.getByRole('checkbox', { name: 'Select run 16, ' });
      await tabTo(page, box);
      await key(page, 'n');
      const dialog = page.getByRole('dialog', { name: 'Notes of run 16' });
      await dialog.getByLabel('Notes').fill('The best of them.\nSeed 3 is odd.');
      await key(page, 'Control+Enter');
      await page.getByText('The best of them. …').waitFor();
      await tabTo(page, page.getByRole('button', { name: 'Change all…' }), { back: true });
      await key(page, 'Enter');
      await page.getByLabel('What').selectOption('Add to the notes');
      await page.getByLabel('Paragraph at the end of the notes').fill('For Table 3.');
      await key(page, 'Enter');
      await page.getByText('2 runs changed.').waitFor();
      await page.getByText('For Table 3.', { exact: true }).waitFor();
      await page.context().close();
    });

    test('a run that is renamed in the table keeps the focus in its row, and so does one whose deletion is called off', async () => {
      const { page } = await journey();
      await findAndGo(page, 'papers', /^papers \d+ runs$/);
      const box = page.getByRole('checkbox', { name: 'Select run 16, ' });
      await tabTo(page, box);
      await key(page, 'e');
      await page.getByRole('textbox', { name: 'Name of run 16' }).waitFor();
      await key(page, 'Escape');
      await expectFocused(box);
      await key(page, 'Space');
      const remove = page.getByRole('button', { name: 'Delete', exact: true });
      await tabTo(page, remove, { back: true });
      await key(page, 'Enter');
      await page.getByRole('dialog').waitFor();
      await key(page, 'Escape');
      await expectFocused(remove);
      await page.context().close();
    });
  });
});
