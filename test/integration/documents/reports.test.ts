import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const document = documentForTests('reports.md');
const api = await apiForTests();
const folder = temporaryFolder();
const file = join(folder, 'findings.md');
const numbered = join(folder, 'numbered.md');
writeFileSync(file, document.take('findings'));
const page = join(folder, 'findings.html');
const commands = document.take('commands', {
  ...{ 'findings.md': file, 'findings-with-numbers.md': numbered, 'findings.html': page },
});
const save = document.take('save');

it('a report is saved, listed, changed and exported with its numbers', async () => {
  for (const dropout of [0, 0.5]) {
    for (const seed of [1, 2, 3]) {
      const { createRun: run } = await api.ok(
        'mutation ($input: CreateRunInput!) { createRun(input: $input) { id number } }',
        { input: { project: 'papers', name: `dropout ${dropout}`, seed, parameters: { dropout } } },
      );
      const values = [0.3 + dropout / 5 + (seed * (1 + dropout)) / 100];
      await api.ok('mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }', {
        id: run.id,
        series: ['test/ndcg@10', 'valid/ndcg@10'].map((name) => ({ name, steps: [1], values })),
      });
      await api.ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: run.id });
    }
  }
  const said = await runShell(commands, { WARREN_API_URL: api.url });
  expect(said).toContain('report 1 “Dropout helps”: version 1');
  expect(said).toMatch(/1 +Dropout helps +papers +1 +anybody/);
  expect(said).toContain('report 1 “Dropout helps much”: version 2');
  expect(said).toMatch(/2 +Dropout helps much +anybody/);
  const text = readFileSync(numbered, 'utf8');
  expect(text).toContain('run 4 (dropout 0.5, succeeded) ends at 0.4150, see the comparison of runs 1-6.');
  expect(text).not.toContain('cannot be shown');
  expect(text).not.toContain('warren-');
  expect(text).toMatch(/\| dropout \| runs \| test\/ndcg@10 \|/);
  expect(text).toMatch(/\*\*0\.4300 ± 0\.0150\*\* \| better/);
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('<title>Dropout helps much</title>');
  expect(html).not.toContain('cannot be shown');
  expect(html.match(/class="report-drawing"/g)).toHaveLength(1);
  const { saveReport } = await api.ok(save);
  expect(saveReport).toEqual({ version: 3, savedBy: 'anybody' });
});
