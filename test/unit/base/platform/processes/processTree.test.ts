import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { commandOf, startTimeOf, waitForEnd } from '#src/base/platform/processes/otherProcess.ts';
import { exitOf, isAlive, stopProcess } from '#src/base/platform/processes/processTree.ts';

/** A child that runs `script`, once it has printed its first line; which line is given back. */
async function start(script: string, detached = false): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'], detached });
  const [line] = await once(child.stdout, 'data');
  return { child, line: String(line).trim() };
}

const WAIT = 'setInterval(() => {}, 1000); console.log("ready");';

describe('stopProcess', () => {
  it('asks first', async () => {
    const { child } = await start(`process.on('SIGTERM', () => process.exit(7)); ${WAIT}`);
    expect(await stopProcess(child, { graceMs: 20_000 })).toEqual({ code: 7, signal: null });
  });

  it('kills what does not listen', async () => {
    const { child } = await start(`process.on('SIGTERM', () => {}); ${WAIT}`);
    expect(await stopProcess(child, { graceMs: 50 })).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('tells at once how a child ended that has ended before', async () => {
    const { child } = await start('console.log("ready"); process.exit(3)');
    await exitOf(child);
    expect(await stopProcess(child, { graceMs: 20_000 })).toEqual({ code: 3, signal: null });
  });

  it.skipIf(process.platform === 'win32')('ends the whole group, children that do not listen too', async () => {
    const inner = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
    const { child, line } = await start(
      `const inner = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}]);
       inner.once('spawn', () => console.log(inner.pid)); setInterval(() => {}, 1000);`,
      true,
    );
    const grandchild = Number(line);
    expect(isAlive(grandchild)).toBe(true);
    await stopProcess(child, { graceMs: 20_000, group: true });
    expect(await waitForEnd(grandchild, 10_000)).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('what is known of other processes', () => {
  it('is their command line and when they started, while they run', async () => {
    const { child } = await start(WAIT);
    const pid = child.pid!;
    expect(commandOf(pid)).toContain('setInterval');
    expect(startTimeOf(pid)).toBe(startTimeOf(pid));
    expect(startTimeOf(pid)).not.toBeNull();
    await stopProcess(child, { graceMs: 20_000 });
    expect(commandOf(pid)).toBeNull();
    expect(startTimeOf(pid)).toBeNull();
    expect(await waitForEnd(pid, 0)).toBe(true);
  });

  it('is nothing for an id that no process can have', () => {
    expect(commandOf(-1)).toBeNull();
    expect(commandOf(Number.NaN)).toBeNull();
  });
});
