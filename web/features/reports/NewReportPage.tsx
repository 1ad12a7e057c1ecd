import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { useComparison, type Comparison } from '#web/features/comparisons/useComparison.ts';
import { usePrimaryMetrics } from '#web/features/metrics/usePrimaryMetrics.ts';
import { useProjects } from '#web/features/projects/useProjects.ts';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { readList } from '#web/lib/listInUrl.ts';
import { formatSeedList } from '#src/base/lib/seedList.ts';
import { metricOrder } from '#web/lib/metricOrder.ts';
import { EditReport } from './EditReport.tsx';
import './reports.css';

interface ComparisonChoice {
  /** Number or id of a run of the baseline; null: the first run. */
  baseline: string | null;
  /** Null: the primary metrics. */
  metrics: readonly string[] | null;
  perUser: boolean;
  primary: ReadonlySet<string>;
}

/** Curves of so many metrics stand in the report from the start. */
const MOST_CURVES = 4;
const MOST_TABLED = 4;
const LONGEST_LIST = 60;

/** A comparison written up: verdicts, what differs, curves, runs; the words are left to the writer. */
function comparisonReport(
  { runs, groups, metrics }: Comparison,
  { baseline, metrics: tested, perUser, primary }: ComparisonChoice,
): { title: string; text: string; project: string | null } {
  const list = formatSeedList(runs.map(({ number }) => number));
  const first = runs.find(({ id, number }) => baseline === id || baseline === String(number)) ?? runs[0];
  const all = metrics.map(({ name }) => name);
  const names = all.sort(metricOrder(all, primary));
  const curved = new Set(
    runs.flatMap((run) => run.metrics.flatMap(({ name, pointCount }) => (pointCount > 1 ? [name] : []))),
  );
  const curves = names.filter((name) => curved.has(name) && !name.startsWith('system/')).slice(0, MOST_CURVES);
  const tabled = names.filter((name) => !name.startsWith('system/')).slice(0, MOST_TABLED);
  const block = (language: string, lines: readonly string[]) =>
    `\`\`\`warren-${language}\n${lines.join('\n')}\n\`\`\`\n`;
  const verdict = [
    `runs: ${list}`,
    ...(tested === null || tested.length === 0 ? [] : [`metrics: ${tested.slice(0, 10).join(', ')}`]),
    ...(first === undefined ? [] : [`baseline: ${first.number}`]),
    ...(perUser ? ['pairs: users'] : []),
  ];
  const parts = [
    `${runs.length} runs of ${groups.length === 1 ? 'one configuration' : `${groups.length} configurations`}: [[compare ${list}]].\n`,
    ...(groups.length > 1
      ? [
          '## Which is better\n',
          block('comparison', verdict),
          '## What differs\n',
          block('comparison', [`runs: ${list}`, 'show: differences']),
        ]
      : []),
    ...(curves.length > 0 ? ['## Curves\n'] : []),
    ...curves.map((metric) => block('panel', [`metric: ${metric}`, `runs: ${list}`, 'group by: configuration'])),
    '## Runs\n',
    block('table', [
      `runs: ${list}`,
      ...(tabled.length === 0 ? [] : [`metrics: ${tabled.join(', ')}`]),
      'columns: seed',
    ]),
  ];
  const short = list.length > LONGEST_LIST ? `${runs.length} runs` : `runs ${list}`;
  return { title: `Comparison of ${short}`, text: parts.join('\n'), project: first?.project.name ?? null };
}

/** The runs of a table written up, in groups; an empty report where no table is given. */
function tableReport(
  project: string | null,
  { filter, groupBy, metrics }: { filter: string; groupBy: readonly string[]; metrics: readonly string[] },
): { title: string; text: string } {
  if (metrics.length === 0 && filter === '') return { title: '', text: '' };
  const lines = [
    ...(filter === '' ? [] : [`filter: ${filter}`]),
    `group by: ${groupBy.length === 0 ? 'configuration' : groupBy.join(', ')}`,
    ...(metrics.length === 0 ? [] : [`metrics: ${metrics.join(', ')}`]),
  ];
  const title = `Runs${project === null ? '' : ` of ${project}`}${filter === '' ? '' : `: ${filter}`}`;
  return { title: title.slice(0, 200), text: `\`\`\`warren-table\n${lines.join('\n')}\n\`\`\`\n` };
}

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
