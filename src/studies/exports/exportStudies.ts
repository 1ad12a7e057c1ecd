import { assertNever } from '#src/base/lib/assertNever.ts';
import type { StudyReport } from '../verdicts/studyReport.ts';
import { studiesCsv } from './csv.ts';
import { studyLatex } from './latex.ts';
import { studyMarkdown } from './markdown.ts';

/** Ways in which studies leave Warren. */
export const STUDY_FORMATS = {
  MARKDOWN: 'Tables, claims and points of figures as text.',
  LATEX: 'The tables, for the package booktabs.',
  CSV: 'One line a cell.',
  JSON: 'Everything.',
} as const;
export type StudyFormat = keyof typeof STUDY_FORMATS;

/** Studies as the text of a file. */
export function exportStudies(reports: readonly StudyReport[], format: StudyFormat): string {
  switch (format) {
    case 'MARKDOWN':
      return reports.map((report) => studyMarkdown(report)).join('\n');
    case 'LATEX':
      return reports
        .filter(({ cells }) => cells.length > 0)
        .map(studyLatex)
        .join('\n');
    case 'CSV':
      return studiesCsv(reports);
    case 'JSON':
      return `${JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 2)}\n`;
    default:
      return assertNever(format);
  }
}
