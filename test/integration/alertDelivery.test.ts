import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { createAddressGuard } from '#src/base/platform/outgoing/addressGuard.ts';
import { saveAlertRule } from '#src/alerts/alertRules.ts';
import { openDatabase, closeDatabase } from '#src/base/platform/postgres/database.ts';
import { apiForTests, clientOf } from './support/apiForTests.ts';
import { apiProcessesForTests } from './support/apiProcessesForTests.ts';
import { atEndOfFile } from './support/atEndOfFile.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { slowness } from './support/slowness.ts';
import { waitUntil } from './support/waitUntil.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  atMs: number;
}

/** What receivers got, and how they answer by path; 200 unless given. */
const received: Received[] = [];
const answers = new Map<string, (nth: number) => number | 'never'>();
const at = (path: string) => received.filter((one) => one.path === path);

const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (text) => (body += String(text)));
  request.on('end', () => {
    const path = request.url ?? '';
    received.push({ path, headers: request.headers, body, atMs: performance.now() });
    const status = answers.get(path)?.(at(path).length) ?? 200;
    if (status !== 'never') response.writeHead(status, { location: '/elsewhere' }).end('x'.repeat(100_000));
  });
});
const mails: { to: string[]; text: string }[] = [];
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    let text = '';
    stream.on('data', (part) => (text += String(part)));
    stream.on('end', () => {
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
      done();
    });
  },
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
atEndOfFile(() => {
  receiver.closeAllConnections();
  receiver.close();
  mailServer.close(() => {});
});
const portOf = (address: ReturnType<typeof receiver.address>) => (typeof address === 'object' && address?.port) || 0;
const hooks = `http://127.0.0.1:${portOf(receiver.address())}`;
const smtpUrl = `smtp://127.0.0.1:${portOf(mailServer.server.address())}`;
const outgoing = {
  allowedNetworks: ['127.0.0.0/8', '::1'],
  mail: { smtpUrl, from: 'Warren <warren@example.org>' },
  publicUrl: 'https://warren.example.org',
};

const postgres = await postgresForTests();
const api = await apiForTests({ postgres, outgoing });
const startProcess = apiProcessesForTests();
const db = openDatabase(postgres.url, { poolSize: 2 });
atEndOfFile(() => closeDatabase(db));

const SAVE = `mutation Save($input: SaveAlertRuleInput!) { saveAlertRule(input: $input) { secret rule { number channels { type address } } } }`;
const HISTORY = `query History($project: String) { alerts(project: $project) { title run { number } rule { number }
  messages { state attempts problem channel { type address } } } }`;

async function failedRun(project: string): Promise<number> {
  const create =
    'mutation Create($project: String!) { createRun(input: { project: $project, name: "<b>@here</b>" }) { id number } }';
  const { createRun } = await api.ok(create, { project });
  await api.ok('mutation Finish($id: ID!) { finishRun(runId: $id, state: FAILED, errorMessage: "why") { id } }', {
    id: createRun.id,
  });
  return createRun.number;
}

async function aRule(project: string, channels: object[]) {
  const input = { project, name: 'failures', condition: { trigger: 'RUN_ENDED' }, channels };
  return (await api.ok(SAVE, { input })).saveAlertRule;
}

test('a failure reaches webhook, Slack and mailbox within five seconds, each once, signed, with no markup of others', async () => {
  answers.set('/slack', (nth) => (nth === 1 ? 503 : 200));
  const channels = [{ webhook: `${hooks}/hook` }, { slack: `${hooks}/slack` }, { email: 'me@example.org' }];
  const { secret, rule } = await aRule('papers', channels);
  const socket = api.socket();
  const seen: string[] = [];
  const stop = socket.subscribe(
    { query: 'subscription { alertsChanged { title } }' },
    {
      next: ({ data }) =>
        seen.push(...(data as { alertsChanged: { title: string }[] }).alertsChanged.map(({ title }) => title)),
      error: () => {},
      complete: () => {},
    },
  );
  const number = await failedRun('papers');
  const failedMs = performance.now();
  await waitUntil('webhook and mail', () => at('/hook').length > 0 && mails.length > 0);
  expect(performance.now() - failedMs).toBeLessThan(5_000 * slowness());
  const [hook] = at('/hook');
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = hook!.headers;
  const key = Buffer.from(String(secret).replace('whsec_', ''), 'base64');
  expect(signature).toBe(`v1,${createHmac('sha256', key).update(`${id}.${time}.${hook!.body}`).digest('base64')}`);
  expect(JSON.parse(hook!.body)).toMatchObject({
    ...{ type: 'alert', server: 'https://warren.example.org' },
    data: {
      project: 'papers',
      rule: { number: rule.number },
      alerts: [{ level: 'error', run: { number, error: 'why' } }],
    },
  });
  expect(mails).toMatchObject([{ to: ['me@example.org'] }]);
  expect(mails[0]!.text).toContain(`https://warren.example.org/runs/${number}`);
  expect(mails[0]!.text).toMatch(/^Message-ID: <[0-9a-f-]{36}@example\.org>\r$/m);
  await waitUntil('Slack, at the second attempt', () => at('/slack').length === 2);
  const { text } = JSON.parse(at('/slack')[1]!.body);
  expect(text).toContain(`papers: run ${number} “&lt;b&gt;@here&lt;/b&gt;” has failed`);
  expect(at('/slack')[0]!.headers['webhook-id']).toBe(at('/slack')[1]!.headers['webhook-id']);
  await waitUntil('the notice in the page', () => seen.some((title) => title.includes(`run ${number}`)));
  stop();
  await socket.dispose();
  const { alerts } = await waitUntil('the history', async () => {
    const found = await api.ok(HISTORY, { project: 'papers' });
    return found.alerts[0].messages.every(({ state }: { state: string }) => state === 'SENT') && found;
  });
  expect(alerts).toMatchObject([{ run: { number }, rule: { number: rule.number } }]);
  expect(alerts[0].messages).toHaveLength(3);
  expect(alerts[0].messages).toContainEqual({
    ...{ state: 'SENT', attempts: 2, problem: 'the receiver answered HTTP 503' },
    channel: { type: 'slack', address: `${hooks}/…` },
  });
  expect(at('/hook')).toHaveLength(1);
  expect(mails).toHaveLength(1);
});

test('the inner network is refused by address and by name, redirects are not followed, and the history says so', async () => {
  const shared = await postgresForTests();
  const guarded = await apiForTests({ postgres: shared });
  const other = openDatabase(shared.url, { poolSize: 1 });
  const port = portOf(receiver.address());
  answers.set('/moved', () => 302);
  const condition = { trigger: 'RUN_ENDED' as const };
  const inputOf = (channel: object) => ({ input: { project: 'p', name: 'a rule', condition, channels: [channel] } });
  for (const url of [
    'http://10.1.2.3/hook',
    'http://169.254.169.254/latest',
    'http://localhost/hook',
    'http://[::1]/',
  ]) {
    const { errors } = await guarded.graphql(SAVE, inputOf({ slack: url }));
    expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', path: 'channels[0].slack' } });
    expect(errors[0]?.message).toMatch(/is in the inner network.*WARREN_ALERT_ALLOW_PRIVATE/);
  }
  const tried = async (target: typeof api, number: number) => {
    const { testAlertRule } = await target.ok(`mutation { testAlertRule(id: "${number}") { number } }`);
    return async () => {
      const { alert } = await target.ok(`{ alert(number: ${testAlertRule.number}) { messages { state problem } } }`);
      return alert.messages[0].problem !== null && alert.messages[0];
    };
  };
  const cases = await Promise.all(
    [`http://127.0.0.1:${port}/in`, `http://localhost:${port}/in`, `http://[::ffff:127.0.0.1]:${port}/in`].map(
      async (webhook) => {
        // made while it was allowed
        const rights = { isAdmin: true, sendsMail: false, guard: createAddressGuard(['all']) };
        const { rule } = await saveAlertRule({ db: other }, { ...inputOf({ webhook }).input, condition }, rights);
        return await tried(guarded, rule.number);
      },
    ),
  );
  for (const look of cases) {
    const { state, problem } = await waitUntil('refused', look);
    expect(state).toBe('FAILED');
    expect(problem).toContain('WARREN_ALERT_ALLOW_PRIVATE');
  }
  expect(at('/in')).toEqual([]);
  await closeDatabase(other);
  const { rule } = await aRule('p', [{ webhook: `${hooks}/moved` }]);
  const moved = await waitUntil('not followed', await tried(api, rule.number));
  expect(moved).toEqual({
    state: 'PENDING',
    problem: 'the receiver answered HTTP 302: redirects are not followed, give the address they lead to',
  });
  expect(at('/elsewhere')).toEqual([]);
});

test('two processes send each message once', async () => {
  const databaseUrl = await postgres.freshDatabase();
  const environment = { DATABASE_URL: databaseUrl, WARREN_PORT: '0', WARREN_ALERT_ALLOW_PRIVATE: '127.0.0.1' };
  const both = [startProcess(environment), startProcess(environment)];
  const urls = [];
  for (const one of both) urls.push(await waitUntil(`an API listens ${one.stderr}`, () => one.url, 30_000));
  const [first, second] = urls.map((url) => clientOf(url));
  const input = {
    project: 'p',
    name: 'r',
    condition: { trigger: 'RUN_ENDED' },
    channels: [{ webhook: `${hooks}/two` }],
  };
  await first!.ok(SAVE, { input });
  const numbers: number[] = [];
  for (let turn = 0; turn < 12; turn++) {
    const { ok } = turn % 2 === 0 ? first! : second!;
    const { createRun } = await ok('mutation { createRun(input: { project: "p" }) { id number } }');
    await ok('mutation ($id: ID!) { finishRun(runId: $id, state: FAILED) { id } }', { id: createRun.id });
    numbers.push(createRun.number);
  }
  const told = () =>
    at('/two').flatMap(({ body }): number[] =>
      JSON.parse(body).data.alerts.map(({ run }: { run: { number: number } }) => run.number),
    );
  await waitUntil('all are told', () => told().length >= numbers.length);
  await waitUntil('nothing is left to send', async () => {
    const { alerts } = await first!.ok(HISTORY, { project: 'p' });
    return alerts
      .flatMap(({ messages }: { messages: { state: string }[] }) => messages)
      .every(({ state }: { state: string }) => state === 'SENT');
  });
  for (const one of both) {
    one.child.kill('SIGTERM');
    await one.ended;
  }
  expect(told().toSorted((a, b) => a - b)).toEqual(numbers);
  const ids = at('/two').map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a process that is killed while it sends has the message sent again, under the same id', async () => {
  const databaseUrl = await postgres.freshDatabase();
  const other = openDatabase(databaseUrl, { poolSize: 1 });
  answers.set('/killed', (nth) => (nth === 1 ? 'never' : 200));
  const environment = { DATABASE_URL: databaseUrl, WARREN_PORT: '0', WARREN_ALERT_ALLOW_PRIVATE: '127.0.0.1' };
  await other.$executeRaw`
    INSERT INTO outgoing_message (id, channel, content)
    VALUES (gen_random_uuid(), ${JSON.stringify({ type: 'webhook', url: `${hooks}/killed`, secret: 'whsec_AAAA' })}::jsonb,
      ${JSON.stringify({ type: 'alert', title: 't', text: '', data: {} })}::jsonb)`;
  const first = startProcess(environment);
  await waitUntil(`the first attempt ${first.stderr}`, () => at('/killed').length === 1, 30_000);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await other.outgoingMessage.findFirst()).toMatchObject({ state: 'PENDING', attempts: 1 });
  // as if the time for which the attempt held it had passed
  await other.$executeRaw`UPDATE outgoing_message SET due_at = now()`;
  startProcess(environment);
  const sent = () => other.outgoingMessage.findFirst({ where: { state: 'SENT' } });
  expect(await waitUntil('the second attempt', sent, 30_000)).toMatchObject({ attempts: 2 });
  const ids = at('/killed').map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  await closeDatabase(other);
});
