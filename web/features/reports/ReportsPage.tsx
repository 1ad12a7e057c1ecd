import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { type ReportRow, useReports, useTrashReport } from './useReports.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { showToast } from '#web/components/toasts.ts';
import { useTitle } from '#web/components/useTitle.ts';
import { ProjectPicker } from '../runs/ProjectPicker.tsx';

/** The reports, what was saved last first. */
export function ReportsPage() {
  useTitle('Reports');
  const { project = null, view } = useSearch({ from: '/reports/' });
  const navigate = useNavigate({ from: '/reports/' });
  const inTrash = view === 'trash';
  const { data, error, refetch } = useReports(project, inTrash);
  const mayWrite = useMayWrite();
  return (
    <div className="page">
      <div className="page-head">
        <h1>{inTrash ? 'Reports in the trash' : 'Reports'}</h1>
        <ProjectPicker
          project={project}
          onChange={(name) =>
            void navigate({ search: (before) => ({ ...before, project: name ?? undefined }), replace: true })
          }
        />
        <span className="spread" />
        <Link
          to="/reports"
          search={{ ...(project === null ? {} : { project }), ...(inTrash ? {} : { view: 'trash' as const }) }}
        >
          {inTrash ? 'All reports' : 'Trash'}
        </Link>
        {mayWrite && (
          <Link className="button button-primary" to="/reports/new" search={project === null ? {} : { project }}>
            New report
          </Link>
        )}
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The reports cannot be shown." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="reports" look="rows" />}
      {data?.length === 0 && (
        <EmptyState title={inTrash ? 'No report is in the trash' : 'No reports yet'}>
          {!inTrash && (
            <p>
              A report says what runs have shown: text with figures, tables and numbers that Warren draws from the runs.
              Press New report, or Report on a comparison.
            </p>
          )}
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && <ReportTable reports={data} mayWrite={mayWrite} />}
    </div>
  );
}

function ReportTable({ reports, mayWrite }: { reports: readonly ReportRow[]; mayWrite: boolean }) {
  const trash = useTrashReport();
  const restore = (report: ReportRow) =>
    trash.mutateAsync({ id: report.id, trashed: false }).then(
      () => showToast(`Report ${report.number} is back.`),
      (error: Error) => showToast(error.message, { error: true }),
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="panel table-scroll" aria-label="Reports" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="number">
              #
            </th>
            <th scope="col">Title</th>
            <th scope="col">Project</th>
            <th scope="col" className="number">
              Version
            </th>
            <th scope="col">Saved by</th>
            <th scope="col">Saved</th>
          </tr>
        </thead>
        <tbody>
          {reports.map((report) => (
            <tr key={report.id}>
              <td className="number">{report.number}</td>
              <th scope="row">
                <Link to="/reports/$reportId" params={{ reportId: String(report.number) }}>
                  {report.title}
                </Link>
              </th>
              <td>{report.project.name}</td>
              <td className="number">{report.version}</td>
              <td>{report.savedBy}</td>
              <td>
                {report.deletedAt === null || !mayWrite ? (
                  <TimeText time={report.savedAt} />
                ) : (
                  <Button disabled={trash.isPending} onClick={() => void restore(report)}>
                    Restore
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
