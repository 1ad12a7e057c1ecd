import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { LONGEST_REPORT } from '#src/base/contracts/report/readReport.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { findProjectByName, findProjects, upsertProject } from '#src/projects/store/projectRecord.ts';
import { insertReportPins } from '#src/reports/store/reportPin.ts';
import {
  countReports,
  findReport,
  findReportText,
  insertReport,
  insertReportVersion,
  listReports as listReportRows,
  listReportVersions,
  lockReport,
  type ReportRecord,
  type ReportTextRecord,
  type ReportVersionRecord,
  trashReport,
} from '#src/reports/store/reportRecord.ts';
import { resolveProject } from '#src/projects/resolveProject.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { pinsOf } from './reportPins.ts';

export interface SaveReportInput {
  /** Id or number of a report that is there; a new one is made without. */
  id?: string | null | undefined;
  /** Name of the project of a new report. */
  project?: string | null | undefined;
  title?: string | null | undefined;
  text?: string | null | undefined;
  /** The version that was edited. */
  basedOn?: number | null | undefined;
}

type Context = Pick<ServiceContext, 'db'>;

/** Stands for the id of a project that the first report makes. */
const TO_BE_MADE = '';
const MOST_REPORTS = 1_000;
const MOST_VERSIONS = 2_000;
const MOST_LISTED = 500;
const LONGEST_NAME = 200;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^#?(\d{1,9})$/;

/**
 * Reports of a project, or of all, or those in the trash; what was saved last comes first, 500 at most.
 * @throws WarrenError NOT_FOUND for an unknown project.
 */
export async function listReports(
  context: Context,
  { project, inTrash = false }: { project?: string | null | undefined; inTrash?: boolean },
): Promise<ReportRecord[]> {
  const projectId = await resolveProject(context, project);
  return await listReportRows(context.db, { projectId, inTrash, most: MOST_LISTED });
}

/** The report of this id or number, in the trash or not. @throws WarrenError NOT_FOUND. */
export async function requireReport(connection: Connection, reference: string): Promise<ReportRecord> {
  const number = NUMBER.exec(reference)?.[1];
  const by = number !== undefined ? { number: Number(number) } : UUID.test(reference) ? { id: reference } : null;
  const report = by === null ? null : await findReport(connection, by);
  if (report !== null) return report;
  const message = `there is no report "${reference.slice(0, 80)}"; give a report's number (such as 3) or its id`;
  throw new WarrenError('NOT_FOUND', message, { path: 'id' });
}

/** Versions of a report, the newest first. */
export async function reportVersions(context: Context, reportId: string): Promise<ReportVersionRecord[]> {
  return await listReportVersions(context.db, reportId, MOST_VERSIONS);
}

/** A version of a report with its text, the newest without a number. @throws WarrenError NOT_FOUND. */
export async function reportText(
  context: Context,
  report: ReportRecord,
  version: number | null,
): Promise<ReportTextRecord> {
  const found = await findReportText(context.db, report.id, version ?? report.version);
  if (found !== null) return found;
  const message = `report ${report.number} has no version ${version}; the newest is ${report.version}`;
  throw new WarrenError('NOT_FOUND', message, { path: 'version' });
}

/**
 * Makes a report, or a new version of one, with the runs that its blocks show now. What is as in the newest version makes none.
 * @throws WarrenError CONFLICT where somebody saved a version since the one that was edited, or where it is in the trash;
 * BAD_INPUT, TOO_LARGE, NOT_FOUND.
 * @param seen What who saves it may read, where that is more than they may change.
 */
export async function saveReport(
  context: Context,
  input: SaveReportInput,
  { savedBy, seen = context }: { savedBy: string; seen?: Context },
): Promise<ReportRecord> {
  const title = input.title == null ? undefined : checkedName(input.title, 'title');
  const text = input.text == null ? undefined : checkedText(input.text);
  const by = savedBy.slice(0, LONGEST_NAME);
  if (input.id == null) return await makeReport(context, input, { title, text: text ?? '', savedBy: by, seen });
  const { basedOn } = input;
  if (basedOn == null) throw badInput('basedOn: expected the version that was edited, such as 3', 'basedOn');
  const before = await requireReport(context.db, input.id);
  const based = text ?? (await findReportText(context.db, before.id, basedOn))?.text ?? '';
  const pins = await pinsOf(seen, { ...(await homeOf(context, before)), text: based });
  return await changeReport(context, input.id, async (connection, report) => {
    if (report.deletedAt !== null) {
      throw new WarrenError('CONFLICT', `report ${report.number} is in the trash: restore it first`, { path: 'id' });
    }
    if (report.version !== basedOn) throw changedMeanwhile(report, basedOn);
    const newest = await findReportText(connection, report.id, report.version);
    const next = { title: title ?? report.title, text: based };
    if (next.title === report.title && next.text === newest?.text) return;
    if (report.version >= MOST_VERSIONS) {
      const message = `a report has at most ${MOST_VERSIONS.toLocaleString('en')} versions: go on in a new one`;
      throw new WarrenError('TOO_LARGE', message, { path: 'id' });
    }
    const version = report.version + 1;
    await insertReportVersion(connection, { reportId: report.id, version, ...next, savedBy: by });
    await insertReportPins(connection, { reportId: report.id, version }, pins);
  });
}

/** Moves a report into the trash. @throws WarrenError NOT_FOUND. */
export async function deleteReport(context: Context, reference: string): Promise<ReportRecord> {
  return await changeReport(context, reference, (connection, { id }) => trashReport(connection, id, true));
}

/** Takes a report out of the trash. @throws WarrenError NOT_FOUND. */
export async function restoreReport(context: Context, reference: string): Promise<ReportRecord> {
  return await changeReport(context, reference, (connection, { id }) => trashReport(connection, id, false));
}

async function makeReport(
  context: Context,
  input: SaveReportInput,
  { title, text, savedBy, seen }: { title: string | undefined; text: string; savedBy: string; seen: Context },
): Promise<ReportRecord> {
  if (title === undefined) throw badInput('title: a new report needs a title', 'title');
  if (input.project == null) throw badInput('project: a new report needs the name of its project', 'project');
  const project = checkedName(input.project, 'project');
  const known = await findProjectByName(context.db, project);
  const pins = await pinsOf(seen, { projectId: known?.id ?? TO_BE_MADE, project, text });
  return await inTransaction(context.db, async (connection) => {
    const { id: projectId } = await upsertProject(connection, project);
    if ((await countReports(connection, projectId)) >= MOST_REPORTS) {
      const message = `a project has at most ${MOST_REPORTS.toLocaleString('en')} reports, those in the trash included`;
      throw new WarrenError('TOO_LARGE', message, { path: 'project' });
    }
    const reportId = await insertReport(connection, projectId);
    await insertReportVersion(connection, { reportId, version: 1, title, text, savedBy });
    const owned = pins.map((pin) => (pin.projectId === TO_BE_MADE ? { ...pin, projectId } : pin));
    await insertReportPins(connection, { reportId, version: 1 }, owned);
    return await requireReport(connection, reportId);
  });
}

async function homeOf({ db }: Context, { projectId }: ReportRecord): Promise<{ projectId: string; project: string }> {
  const [project] = await findProjects(db, [projectId]);
  return { projectId, project: project?.name ?? '' };
}

async function changeReport(
  context: Context,
  reference: string,
  change: (connection: Connection, report: ReportRecord) => Promise<void>,
): Promise<ReportRecord> {
  const { id } = await requireReport(context.db, reference);
  return await inTransaction(context.db, async (connection) => {
    await lockReport(connection, id);
    await change(connection, await requireReport(connection, id));
    return await requireReport(connection, id);
  });
}

function checkedText(text: string): string {
  if (text.length <= LONGEST_REPORT) return text;
  const most = LONGEST_REPORT.toLocaleString('en');
  const message = `text: a report has at most ${most} characters, received ${text.length.toLocaleString('en')}`;
  throw new WarrenError('TOO_LARGE', message, { path: 'text' });
}

function changedMeanwhile({ number, version, savedBy }: ReportRecord, basedOn: number): WarrenError {
  const message =
    version < basedOn
      ? `report ${number} has no version ${basedOn}; the newest is ${version}`
      : `${savedBy} saved version ${version} of report ${number} since version ${basedOn} was edited: look at it, then save over it or not`;
  return new WarrenError('CONFLICT', message, { path: 'basedOn' });
}
