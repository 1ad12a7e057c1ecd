import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { useComparison } from '#web/features/comparisons/useComparison.ts';
import { usePrimaryMetrics } from '#web/features/metrics/usePrimaryMetrics.ts';
import { useProjects } from '#web/features/projects/useProjects.ts';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { readList } from '#web/lib/listInUrl.ts';
import { comparisonReport, tableReport } from './comparisonReport.ts';
import { EditReport } from './EditReport.tsx';
import './reports.css';

/** Begins a report: an empty one, or one of a comparison or a table, with its blocks in place. */
export function NewReportPage() {
  useTitle('New report');
  const search = useSearch({ from: '/reports/new' });
  const navigate = useNavigate();
  const ids = useMemo(() => readList(search.runs ?? ''), [search.runs]);
  const projects = useProjects();
  const compared = useComparison(ids);
  const primary = usePrimaryMetrics(compared.data?.runs);
  const [chosen, setChosen] = useState<string | null>(null);
  const waits = (ids.length > 0 && compared.data === undefined) || projects.data === undefined;
  // once: what is written is not written over when the comparison is read anew
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first answer counts
  const initial = useMemo(() => {
    if (waits) return null;
    if (compared.data === undefined || ids.length === 0) {
      const table = { groupBy: readList(search.group ?? ''), metrics: readList(search.metrics ?? '') };
      return { ...tableReport(search.project ?? null, { filter: search.filter ?? '', ...table }), project: null };
    }
    const metrics = search.tested === undefined ? null : readList(search.tested);
    const perUser = search.pairs === 'users';
    return comparisonReport(compared.data, { baseline: search.baseline ?? null, metrics, perUser, primary });
  }, [waits]);
  const error = compared.error ?? projects.error;
  if (error !== null && !isNetworkError(error)) {
    return (
      <div className="page">
        <ErrorNotice title="The report cannot be begun." error={error} />
      </div>
    );
  }
  if (initial === null) {
    return (
      <div className="page">
        <Loading what="report" />
      </div>
    );
  }
  const names = projects.data?.map(({ name }) => name) ?? [];
  const project = chosen ?? search.project ?? initial.project ?? names[0] ?? 'default';
  return (
    <EditReport
      report={null}
      project={project}
      projects={names.includes(project) ? names : [project, ...names]}
      onProject={setChosen}
      initial={initial}
      onSaved={({ number }) => void navigate({ to: '/reports/$reportId', params: { reportId: String(number) } })}
      onCancel={() => void navigate({ to: '/reports' })}
    />
  );
}
