import { describe, expect, test } from 'vitest';
import { type Capacity, createCapacity } from '#src/base/lib/capacity.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { createChangeHub } from '#src/base/graphql/changeHub.ts';
import { changeStream } from '#src/base/graphql/changeStream.ts';

const RUN = 'aaaaaaaa-0000-4000-8000-000000000001';
const OTHER = 'aaaaaaaa-0000-4000-8000-000000000002';

describe('the hub', () => {
  test('a notification reaches those that listen to its run or project, and nobody after they stopped', () => {
    const hub = createChangeHub();
    const heard: string[] = [];
    const listen = (name: string, topic: Parameters<typeof hub.listen>[0][number]) =>
      hub.listen([topic], { onChange: () => heard.push(name), onGap: () => heard.push(`${name} gap`) });
    const stops = [
      listen('run', { type: 'run', runId: RUN }),
      listen('project', { type: 'project', projectId: 'p' }),
      listen('any', { type: 'project', projectId: null }),
      listen('logs', { type: 'logs', runId: RUN }),
    ];
    hub.publish({ type: 'run', runId: RUN, projectId: 'p' });
    hub.publish({ type: 'run', runId: OTHER, projectId: 'q' });
    hub.publish({ type: 'logs', runId: RUN });
    expect(heard).toEqual(['run', 'project', 'any', 'any', 'logs']);
    for (const stop of stops) stop();
    for (const stop of stops) stop();
    hub.publish({ type: 'run', runId: RUN, projectId: 'p' });
    hub.announceGap();
    expect(heard).toHaveLength(5);
    expect(hub.listenerCount()).toBe(0);
  });
});

/** A source over an array that grows: what is new since the last read. */
function growing(options: { more?: number; fail?: () => void; outlet?: Capacity } = {}) {
  const all: number[] = [];
  const state = { all, reads: 0, listening: 0, wake: () => {}, position: 0 };
  const stream = changeStream<number>({
    intervalMs: 5,
    outlet: options.outlet,
    listen(wake) {
      state.listening++;
      state.wake = wake;
      return () => {
        state.listening = 0;
      };
    },
    async read() {
      state.reads++;
      options.fail?.();
      const end = options.more === undefined ? all.length : Math.min(all.length, state.position + options.more);
      const items = all.slice(state.position, end);
      state.position = end;
      return { items, more: end < all.length };
    },
  });
  return { state, stream };
}

describe('a stream of changes', () => {
  test('listens before it reads, so that nothing falls between', async () => {
    const { state, stream } = growing();
    expect(state.listening).toBe(1);
    expect(state.reads).toBe(0);
    state.all.push(1);
    expect(await stream.next()).toEqual({ value: 1, done: false });
    await stream.return?.();
  });

  test('many changes while nobody asks cost one read', async () => {
    const { state, stream } = growing();
    state.all.push(0);
    await stream.next();
    for (let i = 1; i <= 1000; i++) {
      state.all.push(i);
      state.wake();
    }
    expect(await stream.next()).toEqual({ value: 1, done: false });
    expect(state.reads).toBe(2);
    await stream.return?.();
  });

  test('reads on where there is more than one batch', async () => {
    const { state, stream } = growing({ more: 2 });
    state.all.push(1, 2, 3, 4, 5);
    const got: number[] = [];
    for await (const item of stream) {
      got.push(item);
      if (got.length === 5) break;
    }
    expect(got).toEqual([1, 2, 3, 4, 5]);
    expect(state.listening).toBe(0);
  });

  test('streams of one outlet read in turn: the next one when what was read has been taken', async () => {
    const outlet = createCapacity({ total: 1, mostWaiting: 10 });
    const [first, second] = [growing({ outlet }), growing({ outlet })];
    for (const { state } of [first, second]) state.all.push(1, 2);
    expect(await first.stream.next()).toEqual({ value: 1, done: false });
    const waiting = second.stream.next();
    expect(await first.stream.next()).toEqual({ value: 2, done: false });
    expect(second.state.reads).toBe(0);
    const more = first.stream.next();
    expect(await waiting).toEqual({ value: 1, done: false });
    await second.stream.return?.();
    await first.stream.return?.();
    await more;
    expect(outlet.isIdle()).toBe(true);
  });

  test('a consumer that leaves while it waits is let go at once, and the listener with it', async () => {
    const { state, stream } = growing();
    const waiting = stream.next();
    await Promise.resolve();
    await stream.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(state.listening).toBe(0);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  test('an error of its own ends it', async () => {
    const fail = () => {
      throw new WarrenError('NOT_FOUND', 'gone');
    };
    const { state, stream } = growing({ fail });
    await expect(stream.next()).rejects.toThrow('gone');
    expect(state.listening).toBe(0);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  test('a database that is away is waited for', async () => {
    let failures = 1;
    const fail = () => {
      if (failures-- > 0) throw new WarrenError('UNAVAILABLE', 'away');
    };
    const { state, stream } = growing({ fail });
    state.all.push(7);
    expect(await stream.next()).toEqual({ value: 7, done: false });
    expect(state.reads).toBe(2);
    await stream.return?.();
  });
});
