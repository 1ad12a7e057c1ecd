import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { smallDisk } from '../support/smallDisk.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });
const node = nodeForTests({ WARREN_API_URL: api.url });
const disk = smallDisk(1);
const { runOf, history, alertsOf, logTexts } = loggedRuns(api);

/** How many points a metric has; those of the machine come beside it where it is slow. */
function countOf(metrics: readonly { name: string; pointCount: number }[], name: string): number | undefined {
  return metrics.find((metric) => metric.name === name)?.pointCount;
}

/** Every point has arrived, and the file for which there was no room is named. */
async function expectAll(printed: string): Promise<void> {
  const { id, state, metrics } = await runOf(printed);
  expect(state).toBe('SUCCEEDED');
  expect(countOf(metrics, 'loss')).toBe(8001);
  expect(await alertsOf(id)).toEqual([expect.stringMatching(/Not all of the run was kept \(the file filler, error\)/)]);
  expect(await logTexts(id)).toContain('lost, since the machine of the program took no more: the file filler');
}

describe.skipIf(python === null || disk === null)('a disk that is full while a program logs', () => {
  it('costs a Python program no point, and what is lost stands on the page of the run', async () => {
    const printed = await python!.run(
      `
import os, warren
os.chdir(os.environ["DISK"])
run = warren.init(project="full", save_code=False, console=False)
open("filler", "wb").write(b"x" * 600_000)
for step in range(8000): run.log({"loss": 1 / (step + 1), "a/long/metric/name/of/some/characters": step})
run.log_artifact("filler")
os.unlink("filler"); run.log({"loss": 0.0}, step=9000); run.finish()
assert os.listdir("warren-runs") == [".gitignore"], os.listdir("warren-runs")
print(run.id)`,
      { DISK: disk!.folder },
    );
    await expectAll(printed);
  });

  it('costs a Node program no point either', async () => {
    const printed = await node.run(
      `
import { writeFileSync, unlinkSync } from 'node:fs';
process.chdir(process.env.DISK);
const run = await warren.init({ project: 'full', saveCode: false, console: false });
writeFileSync('filler', new Uint8Array(600_000));
for (let step = 0; step < 8000; step++) run.log({ loss: 1 / (step + 1), 'a/long/metric/name/of/some/characters': step });
run.logArtifact('filler');
unlinkSync('filler'); run.log({ loss: 0 }, 9000); await run.finish();
console.log(run.id);`,
      { DISK: disk!.folder },
    );
    await expectAll(printed);
  });
});

describe.skipIf(python === null)('a Python program', () => {
  it('goes on where its folder of journals is removed, and where it cannot be written', async () => {
    const printed = await python!.run(`
import os, shutil, warren
run = warren.init(project="removed", save_code=False, console=False)
run.log({"loss": 1}); shutil.rmtree("warren-runs")
for step in range(1, 100): run.log({"loss": 1}, step=step)
run.finish()
os.makedirs("linked"); os.symlink("/nonexistent/x", "linked/warren-runs")
other = warren.init(project="removed", dir="linked", save_code=False, console=False)
other.log({"loss": 1}); other.finish()
shutil.rmtree(os.path.dirname(os.path.dirname(os.path.dirname(other._journal.path))))
print(other.id); print(run.id)`);
    const [other, run] = printed.trim().split('\n');
    expect((await history(run!, 'loss')).steps).toHaveLength(100);
    expect((await history(other!, 'loss')).steps).toHaveLength(1);
  });

  it.each(['SIGTERM', 'SIGUSR1'])('that %s ends has sent what it had, and says how it ended', async (signal) => {
    const { stdout, code } = await python!.start(`
import os, signal, time, warren
run = warren.init(project="ended", save_code=False, console=False)
for step in range(200): run.log({"loss": step})
print(run.id, flush=True)
os.kill(os.getpid(), signal.${signal}); time.sleep(60)`).ended;
    expect(code).not.toBe(0);
    const { id, state, metrics } = await runOf(stdout);
    expect([state, countOf(metrics, 'loss')]).toEqual(['CANCELLED', 200]);
    expect(await logTexts(id)).toEqual([`ended by ${signal}`]);
  });

  it('sends files of any name, and one journal that cannot be sent keeps no other', async () => {
    const printed = await python!.run(`
import os, sys, warren
from warren.__main__ import main
run = warren.init(project="odd", mode="offline", dir="odd", save_code=False, console=False)
open(b"r\\xe9sum\\xe9.txt", "w").write("x"); open("a\\nb", "w").write("y"); os.mkfifo("pipe")
run.log_artifact("r\\udce9sum\\udce9.txt"); run.log_artifact("a\\nb"); run.log({"after": 1}); run.finish()
os.makedirs("odd/warren-runs/broken"); open("odd/warren-runs/broken/1.jsonl", "wb").write(b"\\xff\\n")
os.unlink("pipe"); main(["sync", "odd"])
print(run.id)`);
    const { metrics, artifacts } = await runOf(printed);
    expect(countOf(metrics, 'after')).toBe(1);
    expect(artifacts.map(({ name }: { name: string }) => name).sort()).toEqual(['a_b', 'r�sum�.txt']);
    rmSync(join(python!.folder, 'odd'), { recursive: true });
  });
});

it.skipIf(python === null)('processes that a program starts go on with its run, however they begin', async () => {
  writeFileSync(
    join(python!.folder, 'pool.py'),
    `
import copy, multiprocessing, sys, warren
def work(job):
    run, config, place = job
    run.log({"worker": config.lr * place}, step=place)
if __name__ == "__main__":
    run = warren.init(project="pool", config={"lr": 0.5}, save_code=False)
    assert copy.deepcopy(run) is run and copy.copy(run.config) == {"lr": 0.5}
    for number, method in enumerate(("spawn", "fork")):
        with multiprocessing.get_context(method).Pool(1) as pool:
            pool.map(work, [(run, run.config, 4 * number + place) for place in range(4)]); pool.close(); pool.join()
    run.finish(); print(run.id)`,
  );
  const printed = await python!.run('import os, sys; os.execv(sys.executable, [sys.executable, "pool.py"])');
  const { state, metrics } = await runOf(printed);
  expect([state, countOf(metrics, 'worker')]).toEqual(['SUCCEEDED', 8]);
});

describe.skipIf(python === null)('copies of the folder of an offline program', () => {
  it('add nothing twice, whoever sends which of them when', async () => {
    const printed = await python!.run(`
import os, shutil, warren
run = warren.init(project="copied", mode="offline", dir="grown", save_code=False)
for step in range(6):
    run.log({"loss": step}); print("epoch", step)
    if step in (1, 3): shutil.copytree("grown", "copy %d" % step)
run.finish(); shutil.copytree("grown", "whole"); shutil.copytree("grown", "again")
print(run.id)`);
    const sync = `import sys\nfrom warren.__main__ import main\nsys.exit(main(["sync", "copy 3", "copy 1", "whole"]))`;
    await python!.run(sync);
    await node.run(`for (const copy of ['again', 'copy 1', 'grown']) await warren.sync('${python!.folder}/' + copy);`);
    const { id, state, attempts, metrics } = await runOf(printed);
    expect([state, attempts.length, countOf(metrics, 'loss')]).toEqual(['SUCCEEDED', 1, 6]);
    expect(await logTexts(id)).toEqual([0, 1, 2, 3, 4, 5].map((step) => `epoch ${step}`));
  });
});
