import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvLine } from '#src/base/lib/csvLine.ts';
import type { Report } from '#src/base/contracts/reports.ts';

/** The file of a local run's folder that holds its curves: a line a point, in the order of arrival. */
export const POINTS_FILE = 'points.csv';

/** Adds what is reported to the file of points as it comes, so that a run that is cancelled leaves its curves, too. */
export function createPointsWriter(folder: string): (reports: readonly Report[]) => void {
  const file = join(folder, POINTS_FILE);
  let isOpen = false;
  return (reports) => {
    const lines = reports.flatMap((report) =>
      report.type === 'metric'
        ? [csvLine([report.name, report.step, report.value, new Date(report.timeMs).toISOString()])]
        : [],
    );
    if (lines.length === 0) return;
    if (!isOpen) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, 'metric,step,value,time\n');
      isOpen = true;
    }
    appendFileSync(file, lines.join(''));
  };
}
