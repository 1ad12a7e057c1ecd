import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { createRef } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { authToken } from '../api/authToken.ts';
import { connection } from '../api/connection.ts';
import { queryClient } from '../api/queryClient.ts';
import { readReport } from '../api/useReports.ts';
import { readSearch, writeSearch } from '../app/searchText.ts';
import { ReportArticle } from '../features/reports/ReportArticle.tsx';
import { htmlFile, isSettled } from '../features/reports/reportFile.ts';
import type { ReportToWrite } from './reportToWrite.ts';

const LOOK_MS = 20;
/** What is on its way asks for more when it comes, and curves gather their questions for a moment: all has to be still for so long. */
const STILL_MS = 200;
const PATIENCE_MS = 120_000;

/** Shows a report in this process's page, and writes it down when all its figures have what they show. */
export async function writeReport({ token, id, version, today }: ReportToWrite): Promise<string> {
  z.config({ jitless: true });
  authToken.set(token);
  const report = await readReport(id, version);
  const article = createRef<HTMLElement>();
  const router = createRouter({
    ...{ routeTree: createRootRoute(), history: createMemoryHistory() },
    ...{ parseSearch: readSearch, stringifySearch: writeSearch },
  });
  const root = createRoot(document.getElementById('root')!);
  root.render(
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        <ReportArticle {...{ report, version, today, article }} />
      </RouterContextProvider>
    </QueryClientProvider>,
  );
  try {
    await allSettled(() => article.current);
    return htmlFile(article.current!, report.title);
  } finally {
    root.unmount();
    queryClient.clear();
  }
}

async function allSettled(article: () => HTMLElement | null): Promise<void> {
  let still = 0;
  for (let waited = 0; still < STILL_MS; waited += LOOK_MS) {
    if (connection.get() === 'away') throw new Error('the API went away while the report was read');
    if (waited > PATIENCE_MS) throw new Error('some of its figures did not come within two minutes');
    const element = article();
    still = element !== null && isSettled(element) && queryClient.isFetching() === 0 ? still + LOOK_MS : 0;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
