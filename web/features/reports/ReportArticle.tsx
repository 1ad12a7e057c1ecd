import type { RefObject } from 'react';
import type { ReportDetails } from './useReports.ts';
import { TimeText } from '#web/components/TimeText.tsx';
import { ReportText } from './ReportText.tsx';

export interface ReportArticleProps {
  report: ReportDetails;
  /** Null: the newest. */
  version: number | null;
  /** Whether an old version shows today's runs instead of those of when it was saved. */
  today: boolean;
  article: RefObject<HTMLElement | null>;
}

/** What a report says, without what is done with it: this is what files and paper have. */
export function ReportArticle({ report, version, today, article }: ReportArticleProps) {
  const shown = report.versions.find((one) => one.version === (version ?? report.version));
  const title = shown?.title ?? report.title;
  const isOld = version !== null && version !== report.version;
  return (
    <article ref={article} className="report-article" aria-labelledby="report-title">
      <header>
        <h1 id="report-title">{title}</h1>
        {shown !== undefined && (
          <p className="muted">
            {report.project.name}, version {shown.version}, saved by {shown.savedBy} <TimeText time={shown.savedAt} />
          </p>
        )}
      </header>
      <ReportText
        text={withoutTitle(report.text, title)}
        project={report.project.name}
        pins={isOld && !today ? (report.pins ?? null) : null}
      />
    </article>
  );
}

/** The text of a report without the head at its top that says its title again, as files of Markdown have it. */
function withoutTitle(text: string, title: string): string {
  const head = /^\s*#[ \t]+(.+?)[ \t]*#*[ \t]*(?:\n|$)/.exec(text);
  return head?.[1] === title.trim() ? text.slice(head[0].length) : text;
}
