import { readdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { waitUntil } from '../support/waitUntil.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });

const { runOf, history, logTexts, alertsOf } = loggedRuns(api);

describe.skipIf(python === null)('the Python client', () => {
  const { run, start, folder } = python!;

  it('logs metrics, parameters, printed lines, files and where the program ran', async () => {
    const printed = await run(`
import sys
import warren
sys.argv[1:] = ["--lr", "0.1", "--password", "hidden", "TOKEN=hidden"]
with warren.init(project="mine", name="first", config={"lr": 0.01, "net": {"width": 64}}, tags=["a"], seed=3, dataset="toy") as r:
    warren.config.update({"optimizer": "adam"})
    warren.config.lr = 0.02
    for epoch in range(3):
        warren.log({"train": {"loss": 1.0 / (epoch + 1)}, "valid/ndcg@10": epoch / 10, "note": "no number"})
    warren.log({"late": float("nan")}, step=10)
    warren.summary["score"] = 7
    open("model.txt", "w").write("weights")
    warren.log_artifact("model.txt", name="out/model.txt")
    print("epoch 3 is done")
    print(r.id)
`);
    const found = await runOf(printed);
    expect(found).toMatchObject({
      name: 'first',
      state: 'SUCCEEDED',
      tags: ['a'],
      seed: 3,
      user: userInfo().username,
      configuration: { parameters: { lr: 0.02, net: { width: 64 }, optimizer: 'adam' }, datasetName: 'toy' },
    });
    expect(await history(found.id, 'train/loss')).toEqual({ steps: [0, 1, 2], values: [1, 0.5, 1 / 3] });
    expect(await history(found.id, 'late')).toEqual({ steps: [10], values: ['NaN'] });
    expect(await history(found.id, 'score')).toEqual({ steps: [10], values: [7] });
    expect(found.environment).toMatchObject({ python: expect.stringMatching(/^3\./), cores: expect.any(Number) });
    expect(found.environment.arguments, 'no secrets').toEqual(['--lr', '0.1', '--password', '…', 'TOKEN=…']);
    expect(await logTexts(found.id)).toContain('epoch 3 is done');
    const model = found.artifacts.find(({ name }: { name: string }) => name === 'out/model.txt');
    expect(await (await api.fetch(model.url)).text()).toBe('weights');
    expect(readdirSync(join(folder, 'warren-runs')), 'what is sent is removed, and Git takes nothing').toEqual([
      '.gitignore',
    ]);
  });

  it('takes a whole number called seed among the parameters as the seed: such runs are replicates', async () => {
    const said = JSON.parse(
      await run(`
import json, argparse, warren
runs = []
for config, given in (({"lr": 1, "seed": 4}, {}), (argparse.Namespace(lr=1, seed=5), {"seed": 5}), ({"lr": 1, "seed": 6}, {"seed": 7}), ({"lr": 1, "seed": 0.5}, {})):
    with warren.init(project="seeds", config=config, id="again" if given == {"seed": 5} else None, **given) as run:
        runs.append([run.seed, run.config.seed, run.id])
with warren.init(project="seeds", id="again", resume="allow", config={"seed": 5}) as run:
    runs.append([run.seed, run.config.lr, run.id])
print(json.dumps(runs))
`),
    );
    expect(said.map((one: unknown[]) => one.slice(0, 2))).toEqual([
      [4, 4],
      [5, 5],
      [7, 6],
      [0, 0.5],
      [5, 1],
    ]);
    const found = await Promise.all(said.map(async ([, , id]: [number, number, string]) => await runOf(id)));
    expect(found.map(({ seed, configuration }) => [seed, configuration.parameters])).toEqual([
      [4, { lr: 1 }],
      [5, { lr: 1 }],
      [7, { lr: 1, seed: 6 }],
      [0, { lr: 1, seed: 0.5 }],
      [5, { lr: 1 }],
    ]);
  });

  it('ends the run as FAILED with the reason when the program raises', async () => {
    const { code, stdout } = await start(`
import warren
r = warren.init(project="mine")
print(r.id, flush=True)
warren.log({"loss": 1})
warren.alert("Bad start", "loss is high", level=warren.AlertLevel.ERROR)
raise RuntimeError("no convergence")
`).ended;
    expect(code).toBe(1);
    const found = await runOf(stdout);
    expect(found).toMatchObject({ state: 'FAILED', error: { message: 'RuntimeError: no convergence' } });
    expect(await alertsOf(found.id)).toEqual([
      `mine: run ${found.number} “${found.name}”: Bad start (loss is high, error)`,
    ]);
  });

  it('ends the run as the exit status of the program says', async () => {
    const raisesAreNoted = (await run('import sys; print(hasattr(sys, "monitoring"))')).trim() === 'True';
    const exits = [
      ['sys.exit(3)', 3, 'FAILED', { message: 'exit code 3' }],
      ['sys.exit("no data")', 1, 'FAILED', { message: 'no data' }],
      ['sys.exit(0)', 0, 'SUCCEEDED', null],
      ['with r: sys.exit(0)', 0, 'SUCCEEDED', null],
      ['with r: sys.exit(4)', 4, 'FAILED', { message: 'exit code 4' }],
      ['parse()', 0, 'SUCCEEDED', null],
      ['with r: raise SystemExit("no data")', 1, 'FAILED', { message: 'no data' }],
      ['with r: raise SystemExit(0)', 0, 'SUCCEEDED', null],
      ['exit(5)', 5, 'FAILED', { message: 'exit code 5' }],
      ['raise SystemExit', 0, 'SUCCEEDED', null],
      ...(raisesAreNoted
        ? ([
            ['raise Stop(6)', 6, 'FAILED', { message: 'exit code 6' }],
            ['raise SystemExit("no data")', 1, 'FAILED', { message: 'no data' }],
            ['try: raise Stop(7)\nexcept SystemExit: pass', 0, 'SUCCEEDED', null],
            ['try: raise Stop(8)\nfinally: print()', 8, 'FAILED', { message: 'exit code 8' }],
          ] as const)
        : []),
    ] as const;
    const ended = exits.map(async ([leave, expected, state, error]) => {
      const { code, stdout } = await start(`
import sys, warren
class Stop(SystemExit): pass
def parse():
    try: sys.exit(2)
    except SystemExit: warren.log({"loss": 1})
r = warren.init(project="mine")
print(r.id, flush=True)
${leave}
`).ended;
      expect(code, leave).toBe(expected);
      expect(await runOf(stdout.split('\n')[0]!), leave).toMatchObject({ state, error });
    });
    await Promise.all(ended);
  });

  it('keeps what a killed program had logged; the next program sends it, once', async () => {
    const program = start(`
import warren, time
r = warren.init(project="mine", name="killed", id="killed-run")
for step in range(1000): r.log({"loss": step}, step=step)
print("logged", flush=True)
time.sleep(600)
`);
    await waitUntil('the program to log', () => program.stdout().includes('logged'), 60_000);
    program.child.kill('SIGKILL');
    await program.ended;
    const printed = await run(`
import warren
r = warren.init(project="mine", id="killed-run", resume="must")
r.log({"loss": -1.0})
print(r.step)
r.finish()
print(r.id)
`);
    const found = await runOf(printed);
    expect(found.state).toBe('SUCCEEDED');
    await waitUntil('what was left behind', async () => (await history(found.id, 'loss')).steps.length > 0);
    const { metrics } = await runOf(found.id);
    const loss = metrics.find(({ name }: { name: string }) => name === 'loss');
    expect(loss).toMatchObject({ pointCount: 1001, lastStep: 1000, lastValue: -1 });
  });

  it('keeps an offline run on disk until it is synced, piece by piece, each once', async () => {
    const program = start(
      `
import warren, sys, time, os
r = warren.init(project="mine", name="offline", mode="offline", dir="away")
print(r.id, flush=True)
for step in range(500): r.log({"loss": step})
print("half", flush=True)
while not os.path.exists("go-on"): time.sleep(0.02)
for step in range(500): r.log({"loss": step})
r.finish()
`,
    );
    await waitUntil('half of it', () => program.stdout().includes('half'), 60_000);
    const id = program.stdout().split('\n')[0]!;
    const synced = 'import sys\nfrom warren.__main__ import main\nsys.exit(main(["sync", "away/warren-runs"]))';
    expect(await run(synced)).toContain(': sent');
    expect((await runOf(id)).metrics).toMatchObject([{ name: 'loss', pointCount: 500 }]);
    writeFileSync(join(folder, 'go-on'), '');
    await program.ended;
    expect(await run(synced)).toContain(': sent');
    expect(await run(synced)).toContain(': nothing new');
    const found = await runOf(id);
    expect(found).toMatchObject({ state: 'SUCCEEDED', metrics: [{ name: 'loss', pointCount: 1000, lastStep: 999 }] });
  });

  it('sends all of an offline run to another server, too, and says what is lost with a damaged journal', async () => {
    const printed = await run(`
import warren, glob, json, os
r = warren.init(project="mine", mode="offline", dir="torn", save_code=False, console=False)
for step in range(100): r.log({"loss": step})
open("weights", "w").close(); r.log_artifact("weights"); r.finish(); journal = r._journal.path
lines = open(journal, "rb").read().splitlines(keepends=True); lines[50] = b"\\0" * 20 + b"\\n"; open(journal, "wb").write(b"".join(lines))
for file in glob.glob(journal[:-6] + "-*"): os.remove(file)
json.dump({"offset": 9999, "created": True, "server": "https://elsewhere.example"}, open(journal + ".sent", "w")); print(r.id)
`);
    const sync = `from warren.__main__ import main\nmain(["sync", "torn", "--server", "${api.url}", "--project", "elsewhere"])`;
    expect(await run(sync)).toMatch(/lost: 1; these files went to https:\/\/elsewhere\.example alone: weights/);
    const metrics = [{ name: 'loss', pointCount: 99 }];
    expect(await runOf(printed)).toMatchObject({ state: 'SUCCEEDED', project: { name: 'elsewhere' }, metrics });
    // the same server under another address
    expect(await run(sync.replace('127.0.0.1', 'localhost'))).toContain(': nothing new');
    expect(await run(sync)).toContain(': nothing new');
  });

  it('a run that has not ended goes on at the same server under another address, and no file is called missing', async () => {
    const id = await run(`
import warren, os
r = warren.init(project="mine", mode="offline", dir="moved", save_code=False, console=False)
r.log({"loss": 1}); open("weights", "w").close(); r.log_artifact("weights"); print(r.id, flush=True)
r._journal.close(); os._exit(0)
`);
    const sync = `from warren.__main__ import main\nmain(["sync", "moved", "--server", "${api.url}"])`;
    expect(await run(sync)).toContain(': sent');
    expect(await run(sync.replace('127.0.0.1', 'localhost'))).toMatch(/: sent to http:\/\/localhost:\d+\/runs\/\d+$/m);
    expect(await runOf(id)).toMatchObject({
      state: 'RUNNING',
      metrics: [{ pointCount: 1 }],
      artifacts: [{ name: 'weights' }],
    });
  });

  it('lets the processes of one job write into one run', async () => {
    const rank = (number: number) =>
      run(
        `
import warren, os
r = warren.init(project="mine", id="job-7")
for step in range(50): r.log({"rank%s/loss" % os.environ["RANK"]: step})
print(r.id)
r.finish()
`,
        { RANK: String(number) },
      );
    const printed = await Promise.all([1, 2, 3].map(rank));
    const found = await runOf(await rank(0).then(() => printed[0]!));
    expect(found.state).toBe('SUCCEEDED');
    expect(
      found.metrics.map(({ name, pointCount }: { name: string; pointCount: number }) => [name, pointCount]),
    ).toEqual([0, 1, 2, 3].map((number) => [`rank${number}/loss`, 50]));
  });

  it('goes on training while the server is away, and sends all of it later', async () => {
    const printed = await run(
      `
import warren
r = warren.init(project="mine", name="away", server="http://127.0.0.1:9")
for step in range(100): r.log({"loss": step})
r.finish(patience=0.2)
print(r.id)
`,
    );
    const id = printed.trim();
    const left = join(folder, 'warren-runs', id);
    expect(readdirSync(left).some((name) => name.endsWith('.jsonl'))).toBe(true);
    await run(`import sys\nfrom warren.__main__ import main\nsys.exit(main(["sync", "--server", "${api.url}"]))`);
    expect(await runOf(id)).toMatchObject({ state: 'SUCCEEDED', metrics: [{ name: 'loss', pointCount: 100 }] });
  });

  it('says what is wrong before training begins', async () => {
    const wrong = [
      ['warren.init(mode="sideways")', "mode: 'sideways' is not one of online, offline, disabled"],
      ['warren.init(id="never-made", resume="must")', 'resume: there is no run never-made'],
      [
        'warren.init(id=12, resume="must")',
        'resume: there is no run 12 with this id. Numbers of runs are no ids: warren.Api().run("12").id',
      ],
      ['warren.init(config=[1, 2])', 'config: a mapping or an argparse.Namespace is wanted, not a list'],
      [
        'warren.init(server="localhost:4680")',
        "server: 'localhost:4680' is not an address such as http://127.0.0.1:4680",
      ],
      ['warren.init(project="x" * 1000)', 'the server refuses the run: '],
      ['warren.log({"loss": 1})', 'warren.init() must be called first'],
      [
        'warren.init(mode="offline").log("loss")',
        'log: a mapping of names to numbers is wanted, such as {"loss": 0.3}, not a str',
      ],
    ];
    for (const [call, message] of wrong) {
      const { code, stderr } = await start(`import warren\n${call}`).ended;
      expect([code, stderr], call).toEqual([1, expect.stringContaining(message!)]);
    }
  });

  it('is served as one file by the server, which works alone', async () => {
    const served = await api.fetch('/clients/warren.py');
    expect(served.headers.get('content-type')).toContain('text/x-python');
    writeFileSync(join(folder, 'warren.py'), await served.text());
    const printed = await run(
      'import warren\nr = warren.init(project="mine", name="one file")\nwarren.log({"loss": 1})\nwarren.finish()\nprint(r.id)',
      { PYTHONPATH: folder },
    );
    expect(await runOf(printed)).toMatchObject({ name: 'one file', state: 'SUCCEEDED', metrics: [{ name: 'loss' }] });
  });
});
