import { badInput } from '#src/base/contracts/errors.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import type { DataScope } from '#src/base/platform/postgres/scopedDatabase.ts';
import {
  type AuditRecord,
  deleteOldAuditEntries,
  insertAuditEntry,
  listAuditEntries,
} from '#src/audit/store/auditEntry.ts';
import { findProjectByName } from '#src/projects/store/projectRecord.ts';
import { coversProjects } from '../people/callerAccess.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** Who does something. */
export interface Actor {
  /** `anybody`: where no token is asked for. `run`: the program that a worker executes. */
  kind: 'token' | 'user' | 'share' | 'run' | 'anybody' | 'command line';
  /** The token's name, the user's address, the link's title. */
  name: string;
  /** Of a token or a user. */
  id?: string;
  /** Address of the person as whom a token acts. */
  person?: string;
}

export interface AuditedAct {
  actor: Actor;
  /** What was done: `deleteRuns`, `signIn`. */
  action: string;
  projectIds?: readonly string[];
  /** Names of further projects. */
  projectNames?: readonly string[];
  /** Such as `run 12`; the first of them are kept, all are counted. */
  objects?: readonly string[];
  objectCount?: number;
  /** `done`, `refused` where nothing that was named could be changed, or the code of the error. */
  result?: string;
  /** Further facts, none of them a secret. */
  details?: Readonly<Record<string, unknown>>;
  requestId?: string | undefined;
}

const MOST_OBJECTS = 20;
const MOST_PROJECTS = 50;
const LONGEST_OBJECT = 200;

/** Writes down what somebody did: one row. */
export async function recordAct(context: Pick<ServiceContext, 'db'>, act: AuditedAct): Promise<void> {
  const objects = act.objects ?? [];
  await insertAuditEntry(context.db, {
    actorKind: act.actor.kind,
    actor: shorten(act.actor.name, LONGEST_OBJECT),
    action: act.action,
    projectIds: [...new Set(act.projectIds ?? [])].slice(0, MOST_PROJECTS),
    projectNames: (act.projectNames ?? []).slice(0, MOST_PROJECTS),
    objects: objects.slice(0, MOST_OBJECTS).map((object) => shorten(object, LONGEST_OBJECT)),
    objectCount: act.objectCount ?? objects.length,
    result: act.result ?? 'done',
    details: { ...act.details },
    requestId: act.requestId ?? null,
  });
}

export interface AuditQuery {
  since?: Date | null | undefined;
  /** Name of a project. */
  project?: string | null | undefined;
  actor?: string | null | undefined;
  first?: number | null | undefined;
  /** The id of an entry, to go on from there. */
  before?: number | null | undefined;
}

/**
 * What was done, the newest first.
 * @param by Where the caller administers: only what concerns these projects alone; everything when null.
 * @throws WarrenError BAD_INPUT. A project that the caller does not administer has no entries.
 */
export async function listActs(
  context: Pick<ServiceContext, 'db'>,
  query: AuditQuery,
  by: DataScope | null,
): Promise<AuditRecord[]> {
  const first = checkedInteger(query.first ?? 100, { path: 'first', minimum: 0, maximum: 1_000 });
  const project = query.project == null ? null : await findProjectByName(context.db, query.project);
  const isOther = query.project != null && (project === null || !coversProjects(by, [project.id]));
  if (isOther) throw badInput(`project: there is no project "${query.project}"`, 'project');
  return await listAuditEntries(context.db, {
    since: query.since ?? null,
    before: query.before ?? null,
    projectId: project?.id ?? null,
    within: by === null ? null : by.kind === 'projects' ? by.projects : [],
    actor: query.actor ?? null,
    first,
  });
}

const DELETED_AT_ONCE = 5_000;

/** Forgets what was done more than so many days ago. @returns how many entries. */
export async function forgetOldActs(context: Pick<ServiceContext, 'db'>, days: number): Promise<number> {
  let forgotten = 0;
  for (let last = DELETED_AT_ONCE; last === DELETED_AT_ONCE; forgotten += last) {
    last = await deleteOldAuditEntries(context.db, days, DELETED_AT_ONCE);
  }
  return forgotten;
}
