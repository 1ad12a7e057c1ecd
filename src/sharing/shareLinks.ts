import { randomBytes } from 'node:crypto';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { DataScope } from '#src/base/platform/postgres/scopedDatabase.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import {
  findShareLink,
  insertShareLink,
  linkShows,
  listShareLinks,
  lockStaleLink,
  putLinkRuns,
  type ShareLinkRecord,
  touchShareLink,
  withdrawLink,
} from '#src/sharing/store/shareLink.ts';
import { findProjects } from '#src/projects/store/projectRecord.ts';
import { findReport, type ReportRecord } from '#src/reports/store/reportRecord.ts';
import { listSelectedIds } from '#src/runs/store/runPage.ts';
import { coversProjects } from '#src/people/callerAccess.ts';
import { resolveRuns, whyNoRun } from '#src/runs/findRun.ts';
import { resolveProject } from '#src/projects/resolveProject.ts';
import { resolveSelection } from '#src/runs/listRuns.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';
import type { Actor } from '#src/audit/auditLog.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { hashToken } from '#src/people/apiTokens.ts';
import { reportText, requireReport } from '#src/reports/reports.ts';
import { reportRunIds } from './reportRuns.ts';
import { z } from 'zod';

const targetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), numbers: z.array(z.int()), search: z.string() }),
  z.object({ kind: z.literal('comparison'), numbers: z.array(z.int()), search: z.string() }),
  z.object({ kind: z.literal('report'), id: z.string(), number: z.int(), search: z.string() }),
  z.object({ kind: z.literal('view'), project: z.string(), filter: z.string(), search: z.string() }),
]);
/** What a link shows, and how. */
type ShareTarget = z.infer<typeof targetSchema>;

/** What is stored with a link. */
function targetOf({ target }: Pick<ShareLinkRecord, 'target'>): ShareTarget {
  return targetSchema.parse(target);
}

/** The page of the dashboard that shows it: one of its own, whatever `search` holds. */
function pageOf(target: ShareTarget): string {
  const search = target.search.replace(/^\?/, '');
  const page = (path: string, own: string): string => {
    const words = search === '' ? own : search;
    return words === '' ? path : `${path}?${words}`;
  };
  if (target.kind === 'run') return page(`/runs/${target.numbers[0] ?? 0}`, '');
  if (target.kind === 'comparison') return page('/compare', `runs=${target.numbers.join(',')}`);
  if (target.kind === 'report') return `/reports/${target.number}`;
  return page('/runs', new URLSearchParams({ project: target.project, filter: target.filter }).toString());
}

const PREFIX = 'warren_share_';
const MOST_COMPARED = 200;
const MOST_SHOWN = 10_000;
const MOST_LISTED = 1_000;
const LONGEST_SEARCH = 4_000;
/** The runs of a view are looked for again after so long. */
const STALE_SECONDS = 10;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type Context = Pick<ServiceContext, 'db'>;

export interface NewShareLink {
  /** Ids or numbers: one is a page of a run, several are a comparison. */
  runs?: readonly string[] | null | undefined;
  /** Id or number of a report; its newest version is shown, now and later. */
  report?: string | null | undefined;
  /** Name of the project whose table is shown, and which of its runs. */
  project?: string | null | undefined;
  filter?: string | null | undefined;
  /** How the page shows them: what stands after `?` in its address. */
  search?: string | null | undefined;
  title?: string | null | undefined;
  /** Whether it shows code, command and surroundings of programs, too. */
  withProgram?: boolean | null | undefined;
  /** Null: until it is withdrawn. */
  expiresAt?: Date | null | undefined;
}

/** Whether this is the secret of a link rather than a token. */
export function isShareSecret(token: string): boolean {
  return token.startsWith(PREFIX);
}

/**
 * Makes a link by which anybody who has it sees a run, a comparison, a report or the runs of a project that meet a filter, and
 * nothing else. Its secret is shown this once.
 * @param context What the caller may change: only that can be shared. @param all Everything.
 * @throws WarrenError BAD_INPUT and NOT_FOUND that say what cannot be shared.
 */
export async function createShareLink(
  context: Context,
  all: Context,
  input: NewShareLink,
  maker: Pick<Actor, 'kind' | 'name' | 'id'>,
): Promise<{ secret: string; link: ShareLinkRecord }> {
  const expiresAt = input.expiresAt ?? null;
  if (expiresAt !== null && !(expiresAt.getTime() > Date.now())) {
    throw badInput(`expiresAt: expected a time in the future, received ${String(input.expiresAt)}`, 'expiresAt');
  }
  const search = input.search ?? '';
  if (search.length > LONGEST_SEARCH || /[\s#]/.test(search)) {
    throw badInput(
      `search: expected what stands after ? in an address, at most ${LONGEST_SEARCH} characters`,
      'search',
    );
  }
  const { target, projectId, runIds, title } = await readShown(context, input, search);
  const secret = `${PREFIX}${randomBytes(32).toString('base64url')}`;
  const name = input.title == null || input.title.trim() === '' ? title : checkedName(input.title, 'title');
  const link = await inTransaction(all.db, async (connection) => {
    const madeBy = maker.name || maker.kind;
    const facts = {
      kind: target.kind,
      title: name.slice(0, 200),
      projectId,
      target: { ...target },
      madeBy,
      expiresAt,
      withProgram: input.withProgram ?? false,
    };
    const makerId = maker.id ?? null;
    const made = await insertShareLink(connection, { ...facts, makerId, tokenHash: hashToken(secret) });
    await putLinkRuns(connection, made.id, runIds);
    return made;
  });
  return { secret, link };
}

interface Shown {
  target: ShareTarget;
  projectId: string;
  runIds: string[];
  title: string;
}

async function readShown(context: Context, input: NewShareLink, search: string): Promise<Shown> {
  const references = input.runs ?? [];
  if (input.report != null) {
    if (references.length > 0 || input.project != null)
      throw badInput('report: share it, runs or a table, one of them', 'report');
    return await shownReport(context, input.report);
  }
  if (references.length === 0) {
    if (input.project == null) throw badInput('nothing to share: give runs, a report or a project', 'runs');
    const projectId = await resolveProject(context, input.project);
    if (projectId === null) throw badInput('project: expected the name of a project', 'project');
    const filter = input.filter ?? '';
    const runIds = await shownIds(context, { project: input.project, filter });
    const title = filter === '' ? `Runs of ${input.project}` : `Runs of ${input.project}: ${filter}`;
    return { target: { kind: 'view', project: input.project, filter, search }, projectId, runIds, title };
  }
  if (references.length > MOST_COMPARED) {
    throw badInput(`runs: at most ${MOST_COMPARED} at a time, received ${references.length}`, 'runs');
  }
  const found = await resolveRuns(context.db, references);
  const runs = found.map((run, index) => {
    if (run === null) throw new WarrenError('NOT_FOUND', whyNoRun(references[index]!), { path: `runs[${index}]` });
    if (run.deletedAt !== null) throw badInput(`run ${run.number} is in the trash: restore it first`, `runs[${index}]`);
    return run;
  });
  const [first] = runs;
  if (first === undefined) throw badInput('runs: expected at least one', 'runs');
  const numbers = runs.map(({ number }) => number);
  const runIds = runs.map(({ id }) => id);
  if (runs.length === 1) {
    const title = `Run ${first.number}: ${first.name}`;
    return { target: { kind: 'run', numbers, search }, projectId: first.projectId, runIds, title };
  }
  const title = `Comparison of runs ${numbers.join(', ')}`;
  return { target: { kind: 'comparison', numbers, search }, projectId: first.projectId, runIds, title };
}

async function shownReport(context: Context, reference: string): Promise<Shown> {
  const report = await requireReport(context.db, reference);
  const { id, number, projectId, title } = report;
  if (report.deletedAt !== null) throw badInput(`report ${number} is in the trash: restore it first`, 'report');
  const runIds = await runsOfReport(context, report);
  return { target: { kind: 'report', id, number, search: '' }, projectId, runIds, title };
}

async function runsOfReport(context: Context, report: ReportRecord): Promise<string[]> {
  const { projectId } = report;
  const { text } = await reportText(context, report, null);
  const [project] = await findProjects(context.db, [projectId]);
  return await reportRunIds(context, { projectId, project: project?.name ?? '', text }, MOST_SHOWN);
}

async function shownIds(context: Context, { project, filter }: { project: string; filter: string }): Promise<string[]> {
  const selection = await resolveSelection(context, { project, filter });
  const ids = await listSelectedIds(context.db, selection, MOST_SHOWN + 1);
  if (ids.length <= MOST_SHOWN) return ids;
  const limit = MOST_SHOWN.toLocaleString('en');
  throw new WarrenError('TOO_LARGE', `filter: a link shows at most ${limit} runs; narrow the filter`, {
    path: 'filter',
  });
}

/** The link that a secret opens; null when there is none that holds. The runs of a view or a report are brought up to date. */
export async function openShareLink(context: Context, secret: string): Promise<ShareLinkRecord | null> {
  const link = await touchShareLink(context.db, hashToken(secret));
  const target = link === null ? null : targetOf(link);
  if (link === null || (target?.kind !== 'view' && target?.kind !== 'report')) return link;
  await inTransaction(context.db, async (connection) => {
    if (!(await lockStaleLink(connection, link.id, STALE_SECONDS))) return;
    if (target.kind === 'report') {
      const report = await findReport(connection, { id: target.id });
      const shown = report === null || report.deletedAt !== null ? [] : await runsOfReport(context, report);
      await putLinkRuns(connection, link.id, shown);
      return;
    }
    // by its id: the project may have another name by now
    const selection = { ...(await resolveSelection(context, { filter: target.filter })), projectId: link.projectId };
    await putLinkRuns(connection, link.id, await listSelectedIds(connection, selection, MOST_SHOWN));
  });
  return link;
}

/** Whether a link still shows a run: for addresses that were given to a page earlier. */
export async function stillShows(context: Context, id: string, runId: string): Promise<boolean> {
  return UUID.test(id) && UUID.test(runId) && (await linkShows(context.db, id, runId));
}

/**
 * Links of the projects that the caller may change, of one when it is named, withdrawn ones too; the newest first.
 * @param context What the caller may change. @param all Everything.
 */
export async function sharedLinks(
  context: Context,
  all: Context,
  { project, by }: { project: string | null; by: DataScope | null },
): Promise<ShareLinkRecord[]> {
  const projectId = await resolveProject(context, project);
  const own = by === null ? null : by.kind === 'projects' ? by.projects : [];
  return await listShareLinks(all.db, { projectIds: projectId === null ? own : [projectId], most: MOST_LISTED });
}

/** Ends a link, within seconds. @throws WarrenError NOT_FOUND when there is none in a project that the caller may change. */
export async function withdrawShareLink(all: Context, id: string, by: DataScope | null): Promise<ShareLinkRecord> {
  const link = UUID.test(id) ? await findShareLink(all.db, id) : null;
  if (link === null || !coversProjects(by, [link.projectId])) {
    throw new WarrenError('NOT_FOUND', `there is no link ${id.slice(0, 40)}`, { path: 'id' });
  }
  await withdrawLink(all.db, id);
  return (await findShareLink(all.db, id)) ?? link;
}

/** The page of the dashboard that a link opens, such as `/runs/12`. */
export function sharedPage(link: ShareLinkRecord): string {
  return pageOf(targetOf(link));
}
