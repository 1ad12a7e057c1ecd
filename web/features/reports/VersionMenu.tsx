import type { ReportDetails } from './useReports.ts';
import { Popover } from '#web/components/Popover.tsx';
import { TimeText } from '#web/components/TimeText.tsx';

export interface VersionMenuProps {
  report: ReportDetails;
  shown: number;
  onShow(version: number): void;
}

/** Every version with who saved it when; one is chosen to be read. */
export function VersionMenu({ report, shown, onShow }: VersionMenuProps) {
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
