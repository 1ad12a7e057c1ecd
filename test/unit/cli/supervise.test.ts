import { expect, it } from 'vitest';
import { type RunningService, type ServiceEnd, supervise } from '#src/cli/up/supervise.ts';

/** A service whose end is in the test's hands. */
function controlled() {
  const ends: ((end: ServiceEnd) => void)[] = [];
  const started: (() => void)[] = [];
  const events: string[] = [];
  const start = async (): Promise<RunningService> => {
    const ended = new Promise<ServiceEnd>((resolve) => ends.push(resolve));
    events.push('start');
    started.shift()?.();
    return {
      ended,
      stop: async () => {
        events.push('stop');
        ends.at(-1)?.({ how: 'asked', hopeless: false });
      },
      kill: () => events.push('kill'),
    };
  };
  const nextStart = () => new Promise<void>((resolve) => started.push(resolve));
  return { ends, events, start, nextStart };
}

it('starts a service again when it ends by itself, and not after it was stopped', async () => {
  const { ends, events, start, nextStart } = controlled();
  const said: string[] = [];
  const service = await supervise({
    name: 'the api',
    start,
    say: (line) => said.push(line),
    onGivenUp: () => {},
    firstDelayMs: 1,
  });
  const again = nextStart();
  ends[0]!({ how: 'signal SIGKILL', hopeless: false });
  await again;
  expect(said).toEqual(['the api ended (signal SIGKILL); starting it again']);
  await service.stop();
  expect(events.filter((event) => event === 'start')).toHaveLength(2);
});

it('gives up on an end that another start would repeat', async () => {
  const { ends, start } = controlled();
  const givenUp = new Promise<string>((resolve) => {
    void supervise({ name: 'the api', start, say: () => {}, onGivenUp: resolve }).then(() =>
      ends[0]!({ how: 'exit code 2', hopeless: true }),
    );
  });
  expect(await givenUp).toBe('exit code 2');
});

it('tries again when a new start fails', async () => {
  const { ends, start, nextStart } = controlled();
  let starts = 0;
  const said: string[] = [];
  const service = await supervise({
    name: 'PostgreSQL',
    start: () => (++starts === 2 ? Promise.reject(new Error('no room')) : start()),
    say: (line) => said.push(line),
    onGivenUp: () => {},
    firstDelayMs: 1,
  });
  const again = nextStart();
  ends[0]!({ how: 'exit code 1', hopeless: false });
  await again;
  expect(said.at(-1)).toContain('no room');
  await service.stop();
});

it('throws when the first start fails', async () => {
  const start = () => Promise.reject(new Error('no port'));
  await expect(supervise({ name: 'x', start, say: () => {}, onGivenUp: () => {} })).rejects.toThrow('no port');
});
