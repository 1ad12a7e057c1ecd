import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { createRef } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { authToken } from '../api/authToken.ts';
import { queryClient } from '../api/queryClient.ts';
import { readReport } from '../features/reports/useReports.ts';
import { readSearch, writeSearch } from '../app/searchText.ts';
import { ReportArticle } from '../features/reports/ReportArticle.tsx';
import { htmlFile, settledReport } from '../features/reports/reportFile.ts';
import type { ReportToWrite } from './reportToWrite.ts';

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
    await settledReport(() => article.current);
    return htmlFile(article.current!, report.title);
  } finally {
    root.unmount();
    queryClient.clear();
  }
}
