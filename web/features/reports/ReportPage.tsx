import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject, useState } from 'react';
import { blocksOf } from '#src/base/contracts/report/readReport.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { isNetworkError } from '#web/api/apiError.ts';
import { type ReportDetails, useReport, useSaveReport, useTrashReport, readReportMarkdown } from './useReports.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { showToast } from '#web/components/toasts.ts';
import { useTitle } from '#web/components/useTitle.ts';
import { ShareButton } from '../share/ShareButton.tsx';
import { EditReport } from './EditReport.tsx';
import { Popover } from '#web/components/Popover.tsx';
import { saveFile } from '#web/lib/saveFile.ts';
import { htmlFile, settledReport, staticReport } from './reportFile.ts';
import { ReportArticle } from './ReportArticle.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import './reports.css';

interface ExportMenuProps {
  report: ReportDetails;
  /** Null: the newest. */
  version: number | null;
  /** Whether an old version shows today's runs. */
  today: boolean;
  article: RefObject<HTMLElement | null>;
}

/** The report as one file of HTML, as Markdown, or on paper. */
function ExportMenu({ report, version, today, article }: ExportMenuProps) {
  const [busy, setBusy] = useState(false);
  const name = `${report.title.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 100)}`;
  const act = (work: (element: HTMLElement) => Promise<void>) => async () => {
    if (article.current === null) return;
    setBusy(true);
    try {
      await work(article.current);
    } catch (error) {
      showToast(coerceError(error).message, { error: true });
    } finally {
      setBusy(false);
    }
  };
  const html = act(async (element) => {
    await settledReport(() => element);
    saveFile(new Blob([htmlFile(element, report.title)], { type: 'text/html;charset=utf-8' }), `${name}.html`);
  });
  const markdown = act(async () => {
    const text = await readReportMarkdown(report.id, version, today);
    saveFile(new Blob([text], { type: 'text/markdown;charset=utf-8' }), `${name}.md`);
  });
  const print = act(async (element) => {
    await settledReport(() => element);
    window.print();
  });
  return (
    <Popover label="Export" title="Export">
      <div className="stack report-export">
        <Button disabled={busy} onClick={() => void html()}>
          HTML, one file
        </Button>
        <Button disabled={busy} onClick={() => void markdown()}>
          Markdown
        </Button>
        <Button disabled={busy} onClick={() => void print()}>
          Print or PDF
        </Button>
        <p className="muted">With figures and numbers as this page shows them.</p>
      </div>
    </Popover>
  );
}

interface VersionMenuProps {
  report: ReportDetails;
  shown: number;
  onShow(version: number): void;
}

/** Every version with who saved it when; one is chosen to be read. */
function VersionMenu({ report, shown, onShow }: VersionMenuProps) {
  return (
    <Popover label={`Version ${shown}`} title="Versions">
      <ol className="report-versions">
        {report.versions.map(({ version, title, savedBy, savedAt }) => (
          <li key={version}>
            <button type="button" aria-current={version === shown ? 'true' : undefined} onClick={() => onShow(version)}>
              <strong>{version}</strong> {title}
              <span className="muted">
                {savedBy}, <TimeText time={savedAt} />
              </span>
            </button>
          </li>
        ))}
      </ol>
    </Popover>
  );
}

/** A report to be read, an older version of it, or its editor. */
export function ReportPage() {
  const { reportId } = useParams({ from: '/reports/$reportId' });
  const { version: wanted, runs, edit } = useSearch({ from: '/reports/$reportId' });
  const version = wanted === undefined ? null : Number(wanted);
  const navigate = useNavigate({ from: '/reports/$reportId' });
  const { data, error, refetch } = useReport(reportId, version);
  useTitle(data === undefined ? 'Report' : data.title);
  const mayWrite = useMayWrite();
  if (error !== null && !isNetworkError(error)) {
    return (
      <div className="page">
        <h1>Report</h1>
        <ErrorNotice title="The report cannot be shown." error={error} onRetry={() => void refetch()} />
        <p>
          <Link to="/reports">All reports</Link>
        </p>
      </div>
    );
  }
  if (data === undefined) {
    return (
      <div className="page">
        <Loading what="report" />
      </div>
    );
  }
  const editing = edit === 'yes' && mayWrite && data.deletedAt === null && version === null;
  const read = () => navigate({ search: {} });
  if (editing) {
    return (
      <EditReport
        key={data.id}
        report={data}
        project={data.project.name}
        initial={{ title: data.title, text: data.text }}
        onSaved={() => void read()}
        onCancel={() => void read()}
      />
    );
  }
  return <ReadReport report={data} version={version} today={runs === 'today'} mayWrite={mayWrite} />;
}

interface ReadReportProps {
  report: ReportDetails;
  /** Null: the newest. */
  version: number | null;
  /** Whether an old version shows today's runs instead of those of when it was saved. */
  today: boolean;
  mayWrite: boolean;
}

function ReadReport({ report, version, today, mayWrite }: ReadReportProps) {
  const navigate = useNavigate({ from: '/reports/$reportId' });
  const article = useRef<HTMLElement>(null);
  usePrintedReport(article);
  const shown = report.versions.find((one) => one.version === (version ?? report.version));
  const isOld = version !== null && version !== report.version;
  return (
    <div className="page report-page">
      <div className="row report-tools">
        <span className="muted">Report {report.number}</span>
        <span className="spread" />
        {mayWrite && report.deletedAt === null && !isOld && (
          <Button look="primary" onClick={() => void navigate({ search: { edit: 'yes' } })}>
            Edit
          </Button>
        )}
        <VersionMenu
          report={report}
          shown={version ?? report.version}
          onShow={(one) => void navigate({ search: one === report.version ? {} : { version: String(one) } })}
        />
        <ExportMenu report={report} version={version} today={today} article={article} />
        {report.deletedAt === null && <ShareButton report={report.id} project={report.project.name} />}
        {mayWrite && <TrashButton report={report} />}
      </div>
      {report.deletedAt !== null && <p className="notice">This report is in the trash.</p>}
      {isOld && (
        <div className="notice row">
          <span>
            This is version {version} of {report.version}. {runsText(report, today)}
          </span>
          {(report.pins ?? []).length > 0 && (
            <Button
              look="quiet"
              onClick={() =>
                void navigate({ search: { version: String(version), ...(today ? {} : { runs: 'today' }) } })
              }
            >
              {today ? 'Show the runs of when it was saved' : 'Show today’s runs'}
            </Button>
          )}
          {mayWrite && report.deletedAt === null && (
            <RestoreVersion report={report} title={shown?.title ?? report.title} version={version} />
          )}
          <Button look="quiet" onClick={() => void navigate({ search: {} })}>
            Show the newest
          </Button>
        </div>
      )}
      <ReportArticle {...{ report, version, today, article }} />
    </div>
  );
}

/** Which runs an old version shows. */
function runsText({ text, pins }: ReportDetails, today: boolean): string {
  const blocks = blocksOf(text).filter(({ block }) => !('problem' in block)).length;
  if (blocks === 0) return '';
  const kept = pins?.length ?? 0;
  if (kept === 0) return 'It shows today’s runs: those of when it was saved were not kept.';
  if (today) return 'It shows today’s runs.';
  const rest = blocks - kept;
  const but = `, but in ${rest} of its ${blocks} figures and tables, of which they were not kept`;
  return `It shows the runs of when it was saved${rest > 0 ? but : ''}.`;
}

/** Puts the report beside the page while it is printed: figures as drawings, and nothing of the page around it. */
function usePrintedReport(article: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let printed: HTMLElement | null = null;
    let theme: string | undefined;
    const before = () => {
      if (article.current === null) return;
      printed?.remove();
      printed = staticReport(article.current);
      printed.classList.add('report-print');
      document.body.append(printed);
      theme = document.documentElement.dataset.theme;
      document.documentElement.dataset.theme = 'light';
    };
    const after = () => {
      if (printed === null) return;
      printed.remove();
      printed = null;
      if (theme !== undefined) document.documentElement.dataset.theme = theme;
    };
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      after();
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, [article]);
}

function RestoreVersion({ report, title, version }: { report: ReportDetails; title: string; version: number }) {
  const navigate = useNavigate({ from: '/reports/$reportId' });
  const save = useSaveReport();
  const restore = async () => {
    try {
      await save.mutateAsync({ id: report.id, basedOn: report.version, title, text: report.text });
      await navigate({ search: {} });
      showToast(`Version ${version} is the newest again.`);
    } catch (error) {
      showToast(coerceError(error).message, { error: true });
    }
  };
  return (
    <Button disabled={save.isPending} onClick={() => void restore()}>
      Restore this version
    </Button>
  );
}

function TrashButton({ report }: { report: ReportDetails }) {
  const trash = useTrashReport();
  const move = async (trashed: boolean) => {
    try {
      await trash.mutateAsync({ id: report.id, trashed });
      if (trashed) {
        showToast(`Report ${report.number} is in the trash.`, {
          action: { label: 'Undo', run: () => void move(false) },
        });
      }
    } catch (error) {
      showToast(coerceError(error).message, { error: true });
    }
  };
  const inTrash = report.deletedAt !== null;
  return (
    <Button look={inTrash ? 'primary' : 'danger'} disabled={trash.isPending} onClick={() => void move(!inTrash)}>
      {inTrash ? 'Restore' : 'Delete'}
    </Button>
  );
}
