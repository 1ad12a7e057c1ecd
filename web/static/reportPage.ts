import { openPageEnvironment } from './pageEnvironment.ts';
import type { ReportToWrite } from './reportToWrite.ts';

/**
 * A report as one file of HTML, by the same components as the dashboard's: what its **Export** writes, without a browser. To be
 * called once in a process, which has the globals of a page from then on.
 * @throws Error where the report or what it shows cannot be read.
 */
export async function reportPage(report: ReportToWrite): Promise<string> {
  openPageEnvironment(report.url);
  // what the components import looks for a page as soon as it is loaded
  const { writeReport } = await import('./writeReport.tsx');
  return await writeReport(report);
}
