import { badInput } from '#src/base/contracts/errors.ts';
import { printField } from '#src/base/contracts/runFilter/print.ts';
import { decodePosition, encodePosition, orderKeys } from '#src/runs/store/runOrderSql.ts';
import { countSelectedRuns, type RunSelection, selectRunPage } from '#src/runs/store/runPage.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { resolveProject } from '#src/projects/resolveProject.ts';
import { readFilter, readOrder } from './fieldNames.ts';
import { decodeGroupId } from './groupId.ts';
import { allKinds } from '#src/catalog/kinds.ts';
import { filterHints, fieldHints, textFieldsOf } from '#src/base/contracts/runFilter/filterHints.ts';
import type { RunField } from '#src/base/contracts/runFilter/syntax.ts';
import { listProjectNames } from '#src/projects/store/projectRecord.ts';
import { listUserNames } from '#src/runs/store/configurationColumns.ts';
import { runColumns } from './runColumns.ts';

/** Of more, nobody is told that a user has no runs. */
const MOST_USERS = 5_000;

/** Why no run may match a filter: names and values that no run of the project has, with what may be meant. */
async function unmetHints(
  context: Pick<ServiceContext, 'db'>,
  { project, filter }: { project?: string | null | undefined; filter?: string | null | undefined },
): Promise<string[]> {
  if (filter == null || filter.trim() === '') return [];
  const fields = textFieldsOf(filter);
  const [columns, users, projects] = await Promise.all([
    runColumns(context, { project }),
    fields.has('user') ? listUserNames(context.db, await resolveProject(context, project), MOST_USERS) : undefined,
    fields.has('project') ? listProjectNames(context.db) : undefined,
  ]);
  return filterHints(filter, {
    ...columns,
    knownKinds: allKinds().map(({ kind }) => kind),
    ...(users !== undefined && users.length < MOST_USERS && { users }),
    ...(projects !== undefined && { projects }),
  });
}

/** What is wrong with a field that no run has a value in. */
async function orderHints(
  context: Pick<ServiceContext, 'db'>,
  project: string | null | undefined,
  field: RunField,
): Promise<string[]> {
  return fieldHints(field, await runColumns(context, { project }));
}

export interface RunOrderInput {
  /** A field of the filter language: `number`, `created`, `metric."test/ndcg@10"`, `config.sigmaW`. */
  by?: string | undefined;
  direction?: 'ASC' | 'DESC' | undefined;
}

export interface ListRunsInput {
  /** Name of a project; all when left out. */
  project?: string | null | undefined;
  configurationHash?: string | null | undefined;
  /** See `readFilter`. */
  filter?: string | null | undefined;
  /** By number, the newest first, when left out. */
  orderBy?: RunOrderInput | null | undefined;
  /** 0 to 500, default 50. */
  first?: number | null | undefined;
  after?: string | null | undefined;
  inTrash?: boolean | null | undefined;
  /** The id of a group of `runGroups`: only its runs. */
  group?: string | null | undefined;
}

/** A page of a connection, as Relay draws it. */
export interface RunPage {
  edges: { cursor: string; node: RunRecord }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  /** How many runs the filter matches, on all pages; counted when it is called. */
  totalCount(): Promise<number>;
  /** Where none matches: what of the filter no run has, and what may be meant; so, too, where none has what they are ordered by. */
  hints(): Promise<string[]>;
}

const LARGEST_PAGE = 500;

/** How many are asked for at once, 50 where nobody says. @throws WarrenError BAD_INPUT for a size that cannot be */
export function checkedPage(size: number | null | undefined): number {
  const first = size ?? 50;
  if (Number.isInteger(first) && first >= 0 && first <= LARGEST_PAGE) return first;
  throw badInput(`first: received ${first}, expected 0 to ${LARGEST_PAGE}; use after for more`, 'first');
}

/**
 * Runs that meet a filter, in an order, page by page: a cursor stays right while runs come and go.
 * @throws WarrenError BAD_INPUT for a filter, order, cursor or size that cannot be; NOT_FOUND for an unknown project.
 */
export async function listRuns(context: Pick<ServiceContext, 'db'>, input: ListRunsInput = {}): Promise<RunPage> {
  const first = checkedPage(input.first);
  const selection = await resolveSelection(context, input);
  const field = await readOrder(context.db, selection.projectId, input.orderBy?.by ?? 'number');
  const descending = (input.orderBy?.direction ?? 'DESC') === 'DESC';
  const order = `${printField(field)} ${descending ? 'DESC' : 'ASC'}`;
  const keys = orderKeys(field);
  const after = input.after == null ? null : decodePosition(input.after, order, keys);
  const found = await selectRunPage(context.db, selection, { keys, descending, after, first: first + 1 });
  const edges = found
    .slice(0, first)
    .map(({ run, position }) => ({ cursor: encodePosition(order, position), node: run }));
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > first,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: () => countSelectedRuns(context.db, selection),
    hints: async () => {
      if (after !== null || first === 0) return [];
      if (found.length === 0) return await unmetHints(context, input);
      // runs without a value are the last
      const isWithout = keys.length > 0 && found[0]!.position.keys.every((key) => key === null);
      return isWithout ? await orderHints(context, input.project, field) : [];
    },
  };
}

/** Reads what runs are asked for. @throws WarrenError as `listRuns`. */
export async function resolveSelection(
  context: Pick<ServiceContext, 'db'>,
  input: Pick<ListRunsInput, 'project' | 'configurationHash' | 'filter' | 'inTrash' | 'group'>,
): Promise<RunSelection> {
  const projectId = await resolveProject(context, input.project);
  return {
    filter: await readFilter(context.db, projectId, input.filter ?? ''),
    configurationHash: input.configurationHash ?? null,
    inTrash: input.inTrash ?? false,
    group: input.group == null ? undefined : decodeGroupId(input.group, 'group'),
    projectId,
  };
}
