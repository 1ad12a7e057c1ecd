import { createAddressGuard } from '#src/base/platform/outgoing/addressGuard.ts';
import { expect, test } from 'vitest';
import { createAlertWatch, decideAlerts } from '#src/alerts/decideAlerts.ts';
import { type SaveRuleInput, saveAlertRule } from '#src/alerts/alertRules.ts';
import { raiseAlert } from '#src/alerts/raiseAlert.ts';
import { deliverMessages } from '#src/outgoing/deliverMessages.ts';
import { createExternalRun, finishExternalRun } from '#src/external/externalRuns.ts';
import { logExternalMetrics } from '#src/external/logExternal.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aWorker, servicesForTests } from '../services/support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const { db } = context;

const RIGHTS = { isAdmin: true, sendsMail: true, guard: createAddressGuard([]) };
const webhook = { webhook: 'https://example.org/hook' };

async function aRule(input: Partial<SaveRuleInput> & Pick<SaveRuleInput, 'condition'>) {
  const { rule } = await saveAlertRule(context, { name: 'a rule', channels: [webhook], ...input }, RIGHTS);
  return rule;
}

/** A run of a program, in the project `project`. */
async function aProgram(project: string, tags: string[] = []) {
  return await createExternalRun(context, { project, tags, name: 'a program' }, {});
}

async function log(runId: string, name: string, values: number[], from = 0) {
  const steps = values.map((_value, index) => from + index);
  const series = [{ name, steps, values, times: steps.map((step) => Date.UTC(2026, 10, 21) + step) }];
  await logExternalMetrics(context, { runId, series });
}

/** Looks at all rules as a process that has been up for long; answers the titles of a rule's alerts, the oldest first. */
async function look(rule: { id: string }): Promise<string[]> {
  await decideAlerts(context, { ...createAlertWatch(), workersCountFromMs: 0 });
  const alerts = await db.alert.findMany({ where: { ruleId: rule.id }, orderBy: { number: 'asc' } });
  return alerts.map(({ title }) => title);
}

test('a run that fails is told once, those before the rule, outside of its filter or its project are not', async () => {
  const before = await aProgram('failures', ['watched']);
  await finishExternalRun(context, { runId: before.id, state: 'FAILED' });
  const rule = await aRule({ project: 'failures', condition: { trigger: 'RUN_ENDED' }, filter: 'tag = watched' });
  const [watched, other] = [await aProgram('failures', ['watched']), await aProgram('failures')];
  const elsewhere = await aProgram('elsewhere', ['watched']);
  const good = await aProgram('failures', ['watched']);
  for (const { id } of [watched, other, elsewhere]) {
    await finishExternalRun(context, { runId: id, state: 'FAILED', errorMessage: 'out of luck' });
  }
  await finishExternalRun(context, { runId: good.id, state: 'SUCCEEDED' });
  const told = [`failures: run ${watched.number} “a program” has failed`];
  expect(await look(rule)).toEqual(told);
  expect(await look(rule)).toEqual(told);
  const [message, ...more] = await db.outgoingMessage.findMany({ where: { sourceId: rule.id } });
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    ...{ state: 'PENDING', channel: { type: 'webhook', url: webhook.webhook, secret: rule.secret } },
    content: {
      type: 'alert',
      data: { project: 'failures', alerts: [{ run: { id: watched.id, error: 'out of luck' } }] },
    },
  });
  // a rule that begins to wait for something else begins anew
  await saveAlertRule(context, { id: rule.id, condition: { trigger: 'RUN_ENDED', states: ['SUCCEEDED'] } }, RIGHTS);
  expect(await look(rule)).toEqual(told);
});

test('metrics above, below and not finite are told while the run goes on, once a run', async () => {
  const project = 'values';
  const above = await aRule({ project, condition: { trigger: 'METRIC_VALUE', metric: 'ndcg', above: 0.5 } });
  const below = await aRule({ project, condition: { trigger: 'METRIC_VALUE', metric: 'loss', below: 0 } });
  const broken = await aRule({ project, condition: { trigger: 'METRIC_VALUE', metric: 'loss', notFinite: true } });
  const run = await aProgram(project);
  await log(run.id, 'ndcg', [0.1, 0.5]);
  await log(run.id, 'loss', [3, 1]);
  for (const rule of [above, below, broken]) expect(await look(rule)).toEqual([]);
  await log(run.id, 'ndcg', [0.6, 0.2, 0.712345678], 2);
  await log(run.id, 'loss', [-1, Number.NaN], 2);
  const subject = `values: run ${run.number} “a program”`;
  expect(await look(above)).toEqual([`${subject}: ndcg went above 0.5`]);
  const told = await db.alert.findFirst({ where: { ruleId: above.id } });
  expect(told?.text).toBe('The newest value is 0.71235, at step 4, so far 0.1 to 0.71235.');
  expect(await look(below)).toEqual([`${subject}: loss went below 0`]);
  expect(await look(broken)).toEqual([`${subject}: loss is NaN`]);
  await log(run.id, 'ndcg', [0.9], 5);
  expect(await look(above)).toHaveLength(1);
});

test('a metric that stands still is told after so many values, or steps, and not a value before', async () => {
  const project = 'patience';
  const condition = { trigger: 'NO_IMPROVEMENT', metric: 'score', goal: 'MAXIMIZE', patience: 3 } as const;
  const values = await aRule({ project, condition });
  const steps = await aRule({ project, condition: { ...condition, unit: 'STEPS', patience: 10 } });
  const watch = createAlertWatch();
  const told = async () => {
    await decideAlerts(context, watch);
    return await db.alert.count({ where: { ruleId: values.id } });
  };
  const run = await aProgram(project);
  for (const [step, [value, count]] of (
    [
      [1, 0],
      [2, 0],
      [2, 0],
      [1, 0],
      [3, 0],
      [Number.NaN, 0],
      [3, 0],
      [2.9, 1],
    ] as const
  ).entries()) {
    await log(run.id, 'score', [value], step);
    expect(await told(), `after step ${step}`).toBe(count);
  }
  expect(await look(steps)).toEqual([]);
  await log(run.id, 'score', [1], 14);
  expect(await look(steps)).toEqual([`patience: run ${run.number} “a program”: no better score for 10 steps`]);
  const nobodyKnows = { trigger: 'NO_IMPROVEMENT', metric: 'oddness', patience: 3 } as const;
  await expect(aRule({ project, condition: nobodyKnows })).rejects.toThrow(
    'condition.goal: nobody has declared which way oddness is better',
  );
});

test('a sweep that ends and a worker that is gone are told; one that stops by itself is not', async () => {
  const ended = await aRule({ condition: { trigger: 'SWEEP_ENDED' } });
  const gone = await aRule({ condition: { trigger: 'WORKER_GONE' } });
  const { projectId } = await aProgram('sweeps');
  const sweep = await db.sweep.create({
    data: {
      id: crypto.randomUUID(),
      projectId: projectId,
      name: 'wide',
      definition: {},
      state: 'FINISHED',
      endedAt: new Date(),
    },
  });
  const [lost, stopped] = [await aWorker(context, 'lost'), await aWorker(context, 'stopped')];
  const lastSeenAt = new Date(Date.now() - 31_000);
  await db.worker.update({ where: { id: lost.id }, data: { lastSeenAt } });
  await db.worker.update({ where: { id: stopped.id }, data: { lastSeenAt, stoppedAt: lastSeenAt } });
  await db.alertRule.updateMany({ data: { activeSince: new Date(Date.now() - 60_000) } });
  expect(await look(ended)).toEqual([`sweeps: sweep ${sweep.number} “wide” has finished`]);
  expect(await look(gone)).toEqual(['Worker “lost” is gone']);
  // a process that was itself cut off a moment ago says nothing of workers
  await db.worker.update({ where: { id: lost.id }, data: { lastSeenAt: new Date(Date.now() - 40_000) } });
  await decideAlerts(context, createAlertWatch());
  expect(await db.alert.count({ where: { ruleId: gone.id } })).toBe(1);
});

test('what a program raises is shown, and sent on where a rule waits for it, once however often it is said', async () => {
  const rule = await aRule({ project: 'raised', condition: { trigger: 'PROGRAM_ALERT' }, filter: 'tag = loud' });
  const [loud, quiet] = [await aProgram('raised', ['loud']), await aProgram('raised')];
  for (const { id } of [loud, loud, quiet]) {
    await raiseAlert(context, { runId: id, id: 'a', title: 'Low accuracy', text: 'below 0.2', level: 'error' });
  }
  const alerts = await db.alert.findMany({
    where: { runId: { in: [loud.id, quiet.id] } },
    orderBy: { number: 'asc' },
    include: { messages: true },
  });
  expect(alerts).toMatchObject([
    { ruleId: rule.id, level: 'error', title: `raised: run ${loud.number} “a program”: Low accuracy`, messages: [{}] },
    { ruleId: null, runId: quiet.id, messages: [] },
  ]);
  await expect(raiseAlert(context, { runId: loud.id, id: 'b', title: ' ' })).rejects.toThrow(
    'title: 1 to 200 characters',
  );
});

test('two processes that look at the same moment tell each thing once', async () => {
  const rule = await aRule({ project: 'twice', condition: { trigger: 'RUN_ENDED' } });
  for (let i = 0; i < 20; i++) {
    const { id } = await aProgram('twice');
    await finishExternalRun(context, { runId: id, state: 'FAILED' });
  }
  await Promise.all(Array.from({ length: 4 }, () => decideAlerts(context, createAlertWatch())));
  expect(await db.alert.count({ where: { ruleId: rule.id } })).toBe(20);
  const links = await db.alertMessage.groupBy({ by: ['alertId'], where: { alert: { ruleId: rule.id } }, _count: true });
  expect(links.map(({ _count }) => _count)).toEqual(Array.from({ length: 20 }, () => 1));
});

test('two processes that send at the same moment make one attempt', async () => {
  await db.outgoingMessage.deleteMany();
  await aRule({ project: 'sent', condition: { trigger: 'PROGRAM_ALERT' } });
  const { id } = await aProgram('sent');
  for (let i = 0; i < 10; i++) await raiseAlert(context, { runId: id, id: String(i), title: 'a title' });
  const outlets = { guard: { allows: () => false }, mail: null, publicUrl: '' };
  const looks = await Promise.all(Array.from({ length: 4 }, () => deliverMessages(context, outlets, 32)));
  expect(looks.reduce((sum, { begun }) => sum + begun, 0)).toBe(10);
  await Promise.all(looks.flatMap(({ pending }) => pending));
  const messages = await db.outgoingMessage.groupBy({ by: ['attempts'], _count: true });
  expect(messages).toEqual([{ attempts: 1, _count: 10 }]);
});

test.each([
  [
    'an address that is none',
    { channels: [{ webhook: 'ftp://example.org' }] },
    'channels[0].webhook: expected an address',
  ],
  [
    'a password in an address',
    { channels: [{ slack: 'https://a:b@example.org' }] },
    'a user or a password is not taken',
  ],
  ['two mailboxes in one', { channels: [{ email: 'a@b.org, c@d.org' }] }, 'channels[0].email: expected one address'],
  ['a header in a mailbox', { channels: [{ email: 'a@b.org\nBcc: x@y.org' }] }, 'expected one address'],
  ['a channel that is nothing', { channels: [{}] }, 'give one of webhook, slack and email'],
  ['a filter that cannot be', { filter: 'state ==' }, 'filter'],
  [
    'a state in which no run ends',
    { condition: { trigger: 'RUN_ENDED', states: ['QUEUED'] } },
    'no run ends as QUEUED',
  ],
  ['no value', { condition: { trigger: 'METRIC_VALUE', metric: 'x' } }, 'give one of above, below and notFinite'],
  ['no name', { name: ' ' }, 'name: a name has 1 to 200 characters'],
  ['workers of a project', { project: 'p', condition: { trigger: 'WORKER_GONE' } }, 'workers belong to no project'],
] as const)('%s is refused with what would be right', async (_what, input, message) => {
  const whole = { condition: { trigger: 'RUN_ENDED' as const }, ...input } as Parameters<typeof aRule>[0];
  await expect(aRule(whole)).rejects.toThrow(message);
});

test('rules for all projects are for admins', async () => {
  const rule = await aRule({ condition: { trigger: 'RUN_ENDED' } });
  const rights = { isAdmin: false, sendsMail: false, guard: createAddressGuard([]) };
  const input = { name: 'all', condition: { trigger: 'RUN_ENDED' } } as const;
  await expect(saveAlertRule(context, input, rights)).rejects.toThrow('ADMIN');
  await expect(saveAlertRule(context, { id: rule.id, enabled: false }, rights)).rejects.toThrow('ADMIN');
  const mail = { ...input, project: 'p', channels: [{ email: 'a@b.org' }] };
  await expect(saveAlertRule(context, mail, rights)).rejects.toThrow('set WARREN_SMTP_URL'.replace('set', 'sets'));
});
