import { type RefObject, useState } from 'react';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { type ReportDetails, readReportMarkdown } from './useReports.ts';
import { Button } from '#web/components/Button.tsx';
import { Popover } from '#web/components/Popover.tsx';
import { showToast } from '#web/components/toasts.ts';
import { saveFile } from '#web/lib/saveFile.ts';
import { htmlFile, settledReport } from './reportFile.ts';

export interface ExportMenuProps {
  report: ReportDetails;
  /** Null: the newest. */
  version: number | null;
  /** Whether an old version shows today's runs. */
  today: boolean;
  article: RefObject<HTMLElement | null>;
}

/** The report as one file of HTML, as Markdown, or on paper. */
export function ExportMenu({ report, version, today, article }: ExportMenuProps) {
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
