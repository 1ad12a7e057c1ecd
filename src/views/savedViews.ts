import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { parseGroupField } from '#src/base/contracts/runFilter/groupField.ts';
import { readFilter, readOrder } from '#src/runs/fieldNames.ts';
import { type ViewSettings, viewSettingsSchema } from '#src/base/contracts/viewSettings.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import { upsertProject } from '#src/projects/store/projectRecord.ts';
import {
  countViews,
  findView,
  insertView,
  listViews as listViewRows,
  lockViews,
  markDefaultView,
  removeView,
  updateView,
  type ViewRow,
} from '#src/views/store/viewRecord.ts';
import { resolveProject } from '#src/projects/resolveProject.ts';
import { checkedName, refuseLongJson } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** A saved view with its settings read. */
export interface ViewRecord extends Omit<ViewRow, 'settings'> {
  settings: ViewSettings;
}

export interface SaveViewInput {
  /** Id or number of a view that is there; a new one is made without. */
  id?: string | null | undefined;
  /** Name of the project of a new view. */
  project?: string | null | undefined;
  name?: string | null | undefined;
  /** All settings from now on; null leaves those of a view that is there. */
  settings?: unknown;
}

type Context = Pick<ServiceContext, 'db'>;

export const MOST_VIEWS = 200;
const MOST_SETTINGS = 100_000;
const MOST_FIELDS = 6;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^#?(\d{1,9})$/;
/** A name may be a number: `#` says that none is meant. */
const VIEW_NUMBER = /^#(\d{1,9})$/;

/**
 * The views of a project, or of all projects, by name; only those of a name, or the one of a `#` number, where it is given.
 * @throws WarrenError NOT_FOUND for an unknown project.
 */
export async function listViews(
  context: Context,
  project: string | null | undefined,
  name: string | null = null,
): Promise<ViewRecord[]> {
  const projectId = await resolveProject(context, project);
  if (name === null) return await viewsOfProject(context.db, projectId);
  const number = VIEW_NUMBER.exec(name)?.[1];
  const called = { name, number: number === undefined ? null : Number(number) };
  return (await listViewRows(context.db, { projectId, called, most: MOST_VIEWS })).map(readView);
}

/** The views of the project of this id, or of all projects. */
export async function viewsOfProject(connection: Connection, projectId: string | null): Promise<ViewRecord[]> {
  return (await listViewRows(connection, { projectId, most: MOST_VIEWS })).map(readView);
}

/**
 * Makes a view, or renames or changes one.
 * @throws WarrenError BAD_INPUT for settings that cannot be, CONFLICT for a name that is taken, NOT_FOUND for an unknown view.
 */
export async function saveView(context: Context, input: SaveViewInput): Promise<ViewRecord> {
  const name = input.name == null ? undefined : checkedName(input.name, 'name');
  const settings = input.settings == null ? undefined : checkedSettings(input.settings);
  if (input.id == null) {
    if (name === undefined) throw badInput('name: a new view needs a name', 'name');
    if (input.project == null) throw badInput('project: a new view needs the name of its project', 'project');
    const project = checkedName(input.project, 'project');
    return await inTransaction(context.db, async (connection) => {
      const { id: projectId } = await upsertProject(connection, project);
      await lockViews(connection, projectId);
      if ((await countViews(connection, projectId)) >= MOST_VIEWS) {
        throw new WarrenError('TOO_LARGE', `a project has at most ${MOST_VIEWS} views; delete one first`, {
          path: 'project',
        });
      }
      await refuseUnknownFields(connection, projectId, settings);
      const view = await insertView(connection, { projectId, name, settings: settings ?? checkedSettings({}) });
      if (view === null) throw taken(name);
      await sendNotifications(connection, [{ type: 'views', projectId }]);
      return readView(view);
    });
  }
  return await changeView(context, input.id, async (connection, view) => {
    const others = await listViewRows(connection, { projectId: view.projectId, most: MOST_VIEWS });
    if (name !== undefined && others.some((other) => other.name === name && other.id !== view.id)) throw taken(name);
    await refuseUnknownFields(connection, view.projectId, settings);
    return (await updateView(connection, view.id, { name, settings })) ?? view;
  });
}

/** Deletes a view; answers what it was. @throws WarrenError NOT_FOUND. */
export async function deleteView(context: Context, reference: string): Promise<ViewRecord> {
  return await changeView(context, reference, async (connection, view) => {
    await removeView(connection, view.id);
    return view;
  });
}

/**
 * Makes a view what the table of its project shows where none is asked for, or with `isDefault` false takes that back.
 * @throws WarrenError NOT_FOUND.
 */
export async function setDefaultView(context: Context, reference: string, isDefault: boolean): Promise<ViewRecord> {
  return await changeView(context, reference, async (connection, view) => {
    if (isDefault || view.isDefault) await markDefaultView(connection, view.projectId, isDefault ? view.id : null);
    return { ...view, isDefault };
  });
}

async function changeView(
  context: Context,
  reference: string,
  change: (connection: Connection, view: ViewRow) => Promise<ViewRow>,
): Promise<ViewRecord> {
  const { id, projectId } = await requireView(context.db, reference);
  return await inTransaction(context.db, async (connection) => {
    await lockViews(connection, projectId);
    const changed = await change(connection, await requireView(connection, id));
    await sendNotifications(connection, [{ type: 'views', projectId }]);
    return readView(changed);
  });
}

async function requireView(connection: Connection, reference: string): Promise<ViewRow> {
  const number = NUMBER.exec(reference)?.[1];
  const by = number !== undefined ? { number: Number(number) } : UUID.test(reference) ? { id: reference } : null;
  const view = by === null ? null : await findView(connection, by);
  if (view !== null) return view;
  const message = `there is no view "${reference.slice(0, 80)}"; give a view's number (such as 3) or its id`;
  throw new WarrenError('NOT_FOUND', message, { path: 'id' });
}

function readView(row: ViewRow): ViewRecord {
  const parsed = viewSettingsSchema.safeParse(row.settings);
  return { ...row, settings: parsed.success ? parsed.data : viewSettingsSchema.parse({}) };
}

/** @throws WarrenError BAD_INPUT that names what is wrong. */
function checkedSettings(given: unknown): ViewSettings {
  refuseLongJson(given, { path: 'settings', most: MOST_SETTINGS });
  const parsed = viewSettingsSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = ['settings', ...(issue?.path ?? [])].join('.');
    throw badInput(`${path}: ${issue?.message}`, path);
  }
  const { groupBy } = parsed.data;
  for (const [index, field] of groupBy.entries()) parseGroupField(field, `groupBy[${index}]`);
  if (groupBy.length > MOST_FIELDS) {
    throw badInput(`settings.groupBy: expected at most ${MOST_FIELDS} fields, received ${groupBy.length}`, 'groupBy');
  }
  return parsed.data;
}

/** @throws WarrenError BAD_INPUT for a filter or order that cannot be, or names what the project's runs have not. */
async function refuseUnknownFields(connection: Connection, projectId: string, settings: ViewSettings | undefined) {
  if (settings === undefined) return;
  await readFilter(connection, projectId, settings.filter);
  await readOrder(connection, projectId, settings.orderBy);
}

function taken(name: string): WarrenError {
  const message = `the project has a view "${name}" already; choose another name, or change that one`;
  return new WarrenError('CONFLICT', message, { path: 'name' });
}
