import type { Page } from 'playwright-core';
import type { QueuedRun } from './dashboardForTests.ts';
import { NO_SUCH_PAGE } from './showPage.ts';

export interface VisitedRuns {
  /** Ended, with curves, embeddings and a registered version. */
  runs: readonly QueuedRun[];
  /** Ended, with lines in its log. */
  logged: QueuedRun;
  running: QueuedRun;
}

/** A page of the dashboard, and what stands there once it has been drawn. */
export type VisitedPage = readonly [name: string, path: string, ready: (page: Page) => Promise<unknown>];

/** Charts are drawn when they come into sight. */
export async function drawnChart(page: Page): Promise<void> {
  await page.locator('figure').first().scrollIntoViewIfNeeded();
  await page.locator('canvas').first().waitFor();
}

/** Each page of the dashboard, also those that say that there is nothing. */
export function visitedPages({ runs, logged, running }: VisitedRuns): VisitedPage[] {
  return [
    ['home', '/', (page) => page.getByRole('heading', { name: 'Projects' }).waitFor()],
    ['runs', '/runs', (page) => page.getByRole('row').nth(3).waitFor()],
    ['groups of runs', '/?view=replicates', (page) => page.getByRole('region', { name: 'Groups of runs' }).waitFor()],
    ['a wrong filter', '/?filter=kind %3D', (page) => page.getByRole('alert').waitFor()],
    ['no runs', '/?project=empty', (page) => page.getByText('No runs yet').waitFor()],
    ['a run', `/runs/${runs[0]!.number}`, drawnChart],
    ['a running run', `/runs/${running.number}`, drawnChart],
    ['metrics', `/runs/${runs[0]!.number}?tab=metrics`, drawnChart],
    ['media', `/runs/${runs[0]!.number}?tab=media`, (page) => page.getByText('Nothing to look at').waitFor()],
    ['log', `/runs/${logged.number}?tab=log`, (page) => page.locator('.log-line').first().waitFor()],
    ['configuration', `/runs/${runs[0]!.number}?tab=configuration`, (page) => page.getByText('Parameters').waitFor()],
    ['artifacts', `/runs/${runs[0]!.number}?tab=artifacts`, (page) => page.getByText('sha256').waitFor()],
    ['embeddings', `/embeddings?run=${runs[0]!.number}`, (page) => page.getByText(/^Principal components/).waitFor()],
    ['lineage', `/runs/${runs[0]!.number}?tab=lineage`, (page) => page.getByText('ranker:1').waitFor()],
    [
      'runs with embeddings',
      '/embeddings',
      (page) => page.getByRole('region', { name: 'Runs with embeddings' }).locator('tbody tr').first().waitFor(),
    ],
    ['history', `/runs/${runs[0]!.number}?tab=history`, (page) => page.getByText('Attempts').waitFor()],
    [
      'environment',
      `/runs/${runs[0]!.number}?tab=environment`,
      (page) => page.getByRole('row', { name: /^node v/ }).waitFor(),
    ],
    ['models', '/models', (page) => page.getByRole('link', { name: 'ranker' }).waitFor()],
    ['a model', '/models/ranker', (page) => page.getByRole('rowheader', { name: '1' }).waitFor()],
    ['no such model', '/models/none', (page) => page.getByText('Nothing is registered').waitFor()],
    ['comparison', `/compare?runs=${runs.map((run) => run.number)}`, drawnChart],
    ['nothing to compare', '/compare', (page) => page.getByText('No runs chosen').waitFor()],
    ['queue and workers', '/workers', (page) => page.getByText('Free on the volume').waitFor()],
    ['reports', '/reports', (page) => page.getByRole('link', { name: 'Findings' }).waitFor()],
    ['a report', '/reports/1', (page) => page.getByRole('img', { name: /Curves of train\/loss/ }).waitFor()],
    ['a new report', '/reports/new', (page) => page.getByLabel('Text in Markdown').waitFor()],
    [
      'projects',
      '/projects',
      (page) =>
        page
          .getByRole('button', { name: /^Edit / })
          .first()
          .waitFor(),
    ],
    ['alerts', '/alerts', (page) => page.getByRole('heading', { name: 'New rule' }).waitFor()],
    ['administration', '/admin', (page) => page.getByRole('heading', { name: 'Projects by size' }).waitFor()],
    ['the form', '/new?kind=overrec', (page) => page.getByRole('group', { name: 'Parameters' }).waitFor()],
    ['a link without its secret', '/shared', (page) => page.getByText('This link opens nothing').waitFor()],
    ['no such sweep', '/sweeps/999', (page) => page.getByText('There is no sweep 999').waitFor()],
    ['no such decision', '/decisions/999', (page) => page.getByText('There is no decision 999').waitFor()],
    ['no such report', '/reports/999', (page) => page.getByRole('link', { name: 'All reports' }).waitFor()],
    ['no such study', '/reproductions/no/such', (page) => page.getByText('there is no study').waitFor()],
    ['no such dataset', '/datasets/none', (page) => page.getByText('There is no dataset none').waitFor()],
    ['no such page', NO_SUCH_PAGE.path, (page) => page.getByText(NO_SUCH_PAGE.text).waitFor()],
  ];
}
