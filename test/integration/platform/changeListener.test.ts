import { afterEach, describe, expect, it } from 'vitest';
import { CHANGE_CHANNEL, type ChangeEvent } from '#src/base/contracts/changeEvents.ts';
import { listenForChanges } from '#src/base/platform/postgres/changeListener.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { postgresServerForTests } from '../support/postgresServerForTests.ts';
import { waitUntil } from '../support/waitUntil.ts';

const postgres = await postgresServerForTests();

describe('listenForChanges', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function listen(url: string) {
    const events: ChangeEvent[] = [];
    let reconnects = 0;
    const listener = await listenForChanges(url, {
      onChange: (event) => events.push(event),
      onReconnect: () => {
        reconnects += 1;
      },
    });
    closers.push(() => listener.close());
    return { events, listener, reconnects: () => reconnects };
  }

  async function notify(url: string, payload: string): Promise<void> {
    const client = await connectPostgres(url, { applicationName: 'test' });
    await client.query('SELECT pg_notify($1, $2)', [CHANGE_CHANNEL, payload]);
    await client.end();
  }

  const notification = (runId: string): ChangeEvent => ({ type: 'logs', runId });

  it('hears notifications in order, and passes over what it does not understand', async () => {
    const { events } = await listen(postgres.url);
    await notify(postgres.url, JSON.stringify(notification('a')));
    await notify(postgres.url, 'not json');
    await notify(postgres.url, JSON.stringify({ type: 'of a newer Warren' }));
    await notify(postgres.url, JSON.stringify(notification('b')));
    await waitUntil('two notifications', () => events.length === 2);
    expect(events).toEqual([notification('a'), notification('b')]);
  });

  it('listens again after the server was killed and started, and says that it had been away', async () => {
    const { events, reconnects } = await listen(postgres.url);
    await postgres.kill();
    await postgres.restart();
    await waitUntil('it is back', () => reconnects() === 1);
    await notify(postgres.url, JSON.stringify(notification('after')));
    await waitUntil('the notification', () => events.length === 1);
    expect(events).toEqual([notification('after')]);
  });

  it('listens again after its connection alone was ended', async () => {
    const url = await postgres.freshDatabase({ empty: true });
    const { events, reconnects } = await listen(url);
    const other = await connectPostgres(url, { applicationName: 'test' });
    await other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'warren changes' AND datname = current_database()`,
    );
    await other.end();
    await waitUntil('it is back', () => reconnects() === 1);
    await notify(url, JSON.stringify(notification('x')));
    await waitUntil('the notification', () => events.length === 1);
  });

  it('leaves no connection behind when it is closed, be the server there or not', async () => {
    const url = await postgres.freshDatabase({ empty: true });
    const { listener } = await listen(url);
    await listener.close();
    const other = await connectPostgres(url, { applicationName: 'test' });
    await waitUntil('the connection has ended', async () => {
      const rows = await other.query('SELECT 1 FROM pg_stat_activity WHERE datname = current_database()');
      return rows.rowCount === 1;
    });
    await other.end();

    const { listener: second } = await listen(url);
    await postgres.kill();
    await second.close();
    await postgres.restart();
  });

  it('fails at once when there is no server at the start', async () => {
    const nowhere = new URL(postgres.url);
    nowhere.port = '9';
    await expect(listen(nowhere.href)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('openDatabase', () => {
  it('works again after the server was killed and started', async () => {
    const database = openDatabase(postgres.url);
    await database.project.create({ data: { id: '00000000-0000-7000-8000-000000000001', name: 'kept' } });
    await postgres.kill();
    await expect(database.project.count()).rejects.toThrow();
    await postgres.restart();
    await waitUntil('it answers again', () => database.project.count().catch(() => null));
    expect((await database.project.findMany()).map(({ name }) => name)).toEqual(['kept']);
    await closeDatabase(database);
  });
});
