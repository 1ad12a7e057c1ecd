import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { retryRuns } from '#src/runs/retryRuns.ts';
import { pointsOf, runsReach } from '../runtime/runFacts.ts';
import type { TestProgram } from '../runtime/testWorkers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { commandsForTests } from './commandsForTests.ts';

const { db, home, context, startWorker, run, linesOf } = await commandsForTests();
const shell = (script: string) => ['sh', '-c', script];

/** Tries what a program must not be able to do, and leaves what its second attempt must find. */
const HOSTILE = (worker: TestProgram) => `echo "user $(id -un) $HOME"
ls ${home} && echo READ home; ls ../.. && echo READ scratch; ls .. && echo READ attempt
cat /proc/$PPID/environ && echo READ watcher; cat /proc/${worker.pid}/environ && echo READ worker
echo '{"pid":1}' > ../program.json && echo WROTE note; kill -0 $PPID && echo MAY kill
python3 -c 'import warren; print("client")'
cd $WARREN_CHECKPOINT_DIR; [ -e kept ] && { cat latest; ls; exit 0; }
echo weights > kept; ln -s $PWD/kept latest; ln -s /etc/shadow shadow; ln -s /root root; exit 1`;

/** The thread that sends never comes to it: what is logged is in the journal alone when the program is gone. */
const KILLED = `import os, sys, warren
run = warren.init()
run.log({"loss": 1})
sys.setswitchinterval(1000)
for step in range(1, 4):
    run.log({"loss": 1 / (step + 1)})
os.kill(os.getpid(), 9)
`;

describe.runIf(process.getuid?.() === 0)('a worker of root that runs commands as another user', () => {
  const commandFolder = join(temporaryFolder(), 'commands');
  const place = { WARREN_COMMAND_FOLDER: commandFolder, WARREN_COMMAND_USER: 'nobody' };
  let worker: TestProgram;

  beforeAll(async () => {
    worker = await startWorker({ ...place, WARREN_HOME: join(home, 'of-root') });
  });

  it('shows them none of its own, follows no link of theirs, and gives them their checkpoint folder again', async () => {
    const { id } = await run(shell(HOSTILE(worker)));
    await retryRuns(context, [id]);
    const [ended] = await runsReach(db, [{ id }]);
    expect(ended).toMatchObject({ state: 'SUCCEEDED', attempt: 2 });
    const lines = await linesOf({ id });
    expect(lines.filter((line) => /^(READ|WROTE|MAY)/.test(line))).toEqual([]);
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/^user nobody \//), 'client']));
    expect(lines.slice(-3)).toEqual(['weights', 'kept', 'latest']);
  });

  it('keeps the last points of a program that was killed, and nothing in its scratch folder', async () => {
    // the shell finds a Python that this user may execute
    const command = ['sh', '-c', 'python3 -c "$1"', 'sh', KILLED];
    const { id, state } = await run(command, { seeds: [1], maxAttempts: 1 });
    expect(state).toBe('FAILED');
    expect((await pointsOf(db, id, 'loss')).map(({ value }) => value)).toEqual([1, 1 / 2, 1 / 3, 1 / 4]);
    await worker.stop();
    expect(readdirSync(join(commandFolder, '65534', 'scratch'))).toEqual([]);
  });
});
