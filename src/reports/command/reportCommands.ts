import { badInput } from '#src/base/contracts/errors.ts';
import {
  DeleteReportDocument,
  type ReportFactsFragment,
  ReportsDocument,
  ReportTextDocument,
  RestoreReportDocument,
  SaveReportDocument,
} from '#src/generated/api.ts';
import { printable, printableLines } from '#src/base/lib/printable.ts';
import { readGivenFile } from '#src/base/terminal/arguments/readGivenFile.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { formatAge } from '#src/base/terminal/formatNumber.ts';
import { renderTable } from '#src/base/terminal/table.ts';

interface Shown {
  json?: boolean;
}

/** The body of `warren report ls`. */
export async function listReportsCommand(
  { api, terminal }: CommandContext,
  { project, trash = false, json = false }: Shown & { project?: string; trash?: boolean },
): Promise<void> {
  const variables = { project: project ?? null, inTrash: trash };
  const { reports } = await (await api()).request(ReportsDocument, variables);
  if (json) return terminal.print(JSON.stringify(reports, null, 2));
  if (reports.length === 0) {
    return terminal.say(trash ? 'warren: no report is in the trash' : 'warren: there are no reports yet');
  }
  const columns = [
    { header: '#', align: 'right' as const },
    { header: 'TITLE', minimum: 16 },
    { header: 'PROJECT', minimum: 8 },
    { header: 'VERSION', align: 'right' as const },
    { header: 'SAVED BY', minimum: 8 },
    { header: 'SAVED', minimum: 8 },
  ];
  const now = new Date();
  const rows = reports.map((report) => [
    ...[String(report.number), printable(report.title), printable(report.project.name), String(report.version)],
    ...[printable(report.savedBy), formatAge(report.savedAt, now)],
  ]);
  terminal.print(
    renderTable(columns, rows, { width: terminal.width(), styleHeader: terminal.colours.bold }).join('\n'),
  );
}

/** The body of `warren report show`: the text as it was written. */
export async function showReportCommand(
  { api, terminal }: CommandContext,
  reference: string,
  { version, versions = false, json = false }: Shown & { version?: number; versions?: boolean },
): Promise<void> {
  const { report } = await (await api()).request(ReportTextDocument, { id: reference, version: version ?? null });
  if (json) return terminal.print(JSON.stringify(report, null, 2));
  if (versions) {
    const columns = [
      { header: 'VERSION', align: 'right' as const },
      { header: 'TITLE', minimum: 16 },
      { header: 'SAVED BY', minimum: 8 },
      { header: 'SAVED', minimum: 20 },
    ];
    const rows = report.versions.map((one) => [
      ...[String(one.version), printable(one.title), printable(one.savedBy)],
      one.savedAt,
    ]);
    const style = { width: terminal.width(), styleHeader: terminal.colours.bold };
    return terminal.print(renderTable(columns, rows, style).join('\n'));
  }
  terminal.say(factsLine(report, version ?? report.version));
  terminal.print(printableLines(report.text, { colours: false }).trimEnd());
}

/** The body of `warren report save`. */
export async function saveReportCommand(
  { api, terminal }: CommandContext,
  file: string,
  options: Shown & { report?: string; basedOn?: number; project?: string; title?: string },
): Promise<void> {
  const { report, basedOn, project, title, json = false } = options;
  if (report !== undefined && basedOn === undefined) {
    throw badInput('say which version you edited: --based-on 3; `warren report show` tells the newest', '--based-on');
  }
  const text = await readGivenFile(file);
  const { saveReport } = await (await api()).request(SaveReportDocument, {
    input: {
      id: report ?? null,
      basedOn: basedOn ?? null,
      project: project ?? null,
      text,
      title: title ?? (report === undefined ? titleOf(text, file) : null),
    },
  });
  if (json) return terminal.print(JSON.stringify(saveReport, null, 2));
  terminal.print(`report ${saveReport.number} “${printable(saveReport.title)}”: version ${saveReport.version}`);
}

/** The body of `warren report delete`. */
export async function deleteReportCommand({ api, terminal }: CommandContext, reference: string): Promise<void> {
  const { deleteReport } = await (await api()).request(DeleteReportDocument, { id: reference });
  const { number, title } = deleteReport;
  terminal.print(
    `report ${number} “${printable(title)}”: in the trash; \`warren report restore ${number}\` brings it back`,
  );
}

/** The body of `warren report restore`. */
export async function restoreReportCommand({ api, terminal }: CommandContext, reference: string): Promise<void> {
  const { restoreReport } = await (await api()).request(RestoreReportDocument, { id: reference });
  terminal.print(`report ${restoreReport.number} “${printable(restoreReport.title)}”: restored`);
}

/** The first head of the text, else the name of its file. */
function titleOf(text: string, file: string): string {
  const head = /^#{1,6}\s+(.+?)\s*#*\s*$/m.exec(text)?.[1];
  return (head ?? file.replace(/^.*[\\/]/, '').replace(/\.[^.]+$/, '')).slice(0, 200);
}

function factsLine(
  { number, title, deletedAt, savedBy, version: newest }: ReportFactsFragment,
  version: number,
): string {
  const which =
    version === newest ? `version ${version}, saved by ${printable(savedBy)}` : `version ${version} of ${newest}`;
  return `warren: report ${number} “${printable(title)}”, ${which}${deletedAt === null ? '' : ', in the trash'}`;
}
