import { metricDirection } from '#src/catalog/metricDirection.ts';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { isUnknownField } from '#src/base/contracts/runFilter/fields.ts';
import { parseRunFilter } from '#src/base/contracts/runFilter/parse.ts';
import { printRunFilter } from '#src/base/contracts/runFilter/print.ts';
import { readFilter } from '#src/runs/fieldNames.ts';
import type { AlertChannel } from '#src/base/contracts/alertRule.ts';
import type { AddressGuard } from '#src/base/platform/outgoing/addressGuard.ts';
import { innerAddress, REFUSED_INNER } from '#src/base/platform/outgoing/innerAddress.ts';
import { newWebhookSecret } from '#src/base/platform/outgoing/webhookSignature.ts';
import {
  findRule,
  insertRule,
  countRules,
  listRules,
  lockRule,
  removeRule,
  type RuleRecord,
  updateRule,
} from '#src/alerts/store/ruleRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import { upsertProject } from '#src/projects/store/projectRecord.ts';
import { resolveProject } from '#src/projects/resolveProject.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { type ChannelInput, checkedChannels, checkedCondition, type ConditionInput } from './ruleInput.ts';

type Context = Pick<ServiceContext, 'db'>;

/** Who asks, and what the server can do. */
export interface RuleRights {
  /** Whether the caller may have rules for all projects and for workers. */
  isAdmin: boolean;
  /** Whether this server can send e-mail. */
  sendsMail: boolean;
  /** Says where webhooks may lead. */
  guard: AddressGuard;
}

export interface SaveRuleInput {
  /** Id or number of a rule that is there; a new one is made without. */
  id?: string | null | undefined;
  /** Name of the project of a new rule; null: all projects. */
  project?: string | null | undefined;
  name?: string | null | undefined;
  condition?: ConditionInput | null | undefined;
  filter?: string | null | undefined;
  channels?: readonly ChannelInput[] | null | undefined;
  enabled?: boolean | null | undefined;
}

/** Of a project, and as many for all projects. */
export const MOST_RULES = 100;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^#?(\d{1,9})$/;
const LONGEST_FILTER = 2_000;

/** Rules by number: of a project with those for all projects, or every one. @throws WarrenError NOT_FOUND. */
export async function listAlertRules(context: Context, project: string | null | undefined): Promise<RuleRecord[]> {
  const projectId = await resolveProject(context, project);
  return await listRules(context.db, { projectId, enabled: false, most: 500 });
}

/**
 * Makes a rule, or changes what is given of one.
 * @returns the rule; of a new one with a webhook also the secret of its signatures, which is shown this once.
 * @throws WarrenError BAD_INPUT for a condition, filter or channel that cannot be, FORBIDDEN for a rule for all projects of a
 *   caller who is no admin, NOT_FOUND for an unknown rule.
 */
export async function saveAlertRule(
  context: Context,
  input: SaveRuleInput,
  rights: RuleRights,
): Promise<{ rule: RuleRecord; secret: string | null }> {
  const name = input.name == null ? undefined : checkedName(input.name, 'name');
  const condition = input.condition == null ? undefined : checkedCondition(input.condition);
  const filter = input.filter == null ? undefined : checkedFilter(input.filter);
  const channels = input.channels == null ? undefined : checkedChannels(input.channels, rights.sendsMail);
  await refuseInner(channels ?? [], rights.guard);
  if (input.id == null) {
    if (name === undefined) throw badInput('name: a new rule needs a name', 'name');
    if (condition === undefined) throw badInput('condition: a new rule needs one', 'condition');
    const project = input.project == null ? null : checkedName(input.project, 'project');
    requireRight(project, rights);
    if (project !== null) refuseWorkers(condition.trigger);
    return await inTransaction(context.db, async (connection) => {
      const projectId = project === null ? null : (await upsertProject(connection, project)).id;
      if ((await countRules(connection, projectId)) >= MOST_RULES) {
        throw new WarrenError('TOO_LARGE', `there are at most ${MOST_RULES} rules; delete one first`, {
          path: 'project',
        });
      }
      const rule = await insertRule(connection, {
        ...{ projectId, name, condition, channels: channels ?? [] },
        filter: await wholeFilter(connection, projectId, filter ?? ''),
        enabled: input.enabled ?? true,
        secret: newWebhookSecret(),
      });
      await sendNotifications(connection, [{ type: 'alerts' }]);
      return { rule, secret: rule.channels.some(({ type }) => type === 'webhook') ? rule.secret : null };
    });
  }
  const { id } = await requireRule(context, input.id);
  return await inTransaction(context.db, async (connection) => {
    const before = await lockRule(connection, id);
    if (before === null) throw noRule(id);
    requireRight(before.projectId, rights);
    if (before.projectId !== null && condition !== undefined) refuseWorkers(condition.trigger);
    const enabled = input.enabled ?? before.enabled;
    const rule = await updateRule(connection, id, {
      name: name ?? before.name,
      condition: condition ?? before.condition,
      filter: filter === undefined ? before.filter : await wholeFilter(connection, before.projectId, filter),
      channels: channels ?? before.channels,
      enabled,
      renewed: condition !== undefined || filter !== undefined || (enabled && !before.enabled),
    });
    await sendNotifications(connection, [{ type: 'alerts' }]);
    const hadWebhook = before.channels.some(({ type }) => type === 'webhook');
    const hasWebhook = rule.channels.some(({ type }) => type === 'webhook');
    return { rule, secret: hasWebhook && !hadWebhook ? rule.secret : null };
  });
}

/** What could never be sent is refused here; a name that leads elsewhere later is refused when something is sent. */
async function refuseInner(channels: readonly AlertChannel[], guard: AddressGuard): Promise<void> {
  const found = await Promise.all(
    channels.map(async (channel) => (channel.type === 'email' ? null : await innerAddress(guard, channel.url))),
  );
  for (const [place, inner] of found.entries()) {
    if (inner === null) continue;
    const path = `channels[${place}].${channels[place]!.type}`;
    throw badInput(`${path}: ${inner} ${REFUSED_INNER}`, path);
  }
}

/** Deletes a rule; what it has told stays in the history. @throws WarrenError NOT_FOUND, FORBIDDEN. */
export async function deleteAlertRule(context: Context, reference: string, rights: RuleRights): Promise<RuleRecord> {
  const rule = await requireRule(context, reference);
  requireRight(rule.projectId, rights);
  await inTransaction(context.db, async (connection) => {
    await removeRule(connection, rule.id);
    await sendNotifications(connection, [{ type: 'alerts' }]);
  });
  return rule;
}

/** The rule of an id or a number. @throws WarrenError NOT_FOUND. */
export async function requireRule(context: Context, reference: string): Promise<RuleRecord> {
  const number = NUMBER.exec(reference)?.[1];
  const by = number !== undefined ? { number: Number(number) } : UUID.test(reference) ? { id: reference } : null;
  const rule = by === null ? null : await findRule(context.db, by);
  if (rule === null) throw noRule(reference);
  return rule;
}

function noRule(reference: string): WarrenError {
  const message = `there is no alert rule "${reference.slice(0, 80)}"; give a rule's number (such as 3) or its id`;
  return new WarrenError('NOT_FOUND', message, { path: 'id' });
}

/** @throws WarrenError FORBIDDEN where a rule is not of one project and the caller no admin. */
export function requireRight(project: string | null, { isAdmin }: RuleRights): void {
  if (project !== null || isAdmin) return;
  const message = 'rules for all projects and for workers are for a caller with role ADMIN; give the name of a project';
  throw new WarrenError('FORBIDDEN', message, { path: 'project' });
}

function refuseWorkers(trigger: string): void {
  if (trigger !== 'WORKER_GONE') return;
  throw badInput('condition: workers belong to no project; leave the project out', 'condition');
}

function checkedFilter(given: string): string {
  if (given.length > LONGEST_FILTER) {
    throw badInput(`filter: at most ${LONGEST_FILTER} characters, received ${given.length}`, 'filter');
  }
  return given.trim();
}

/** The filter as it is kept: names without a field before them are written out, for what they mean changes with the project's runs. */
async function wholeFilter(connection: Connection, projectId: string | null, text: string): Promise<string> {
  const filter = await readFilter(connection, projectId, text);
  return filter === null || isWhole(text) ? text : printRunFilter(filter);
}

function isWhole(text: string): boolean {
  try {
    parseRunFilter(text, metricDirection);
    return true;
  } catch (error) {
    if (isUnknownField(error)) return false;
    throw error;
  }
}
