import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { hasModules } from '../support/pythonModules.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** Modules with a SummaryWriter, and the Python that has them: `WARREN_TENSORBOARD_PYTHON`, or the first of `WARREN_MLFLOW_PYTHON`. */
function writers(): { python: string; modules: string[] } {
  const [named] = (process.env.WARREN_TENSORBOARD_PYTHON ?? process.env.WARREN_MLFLOW_PYTHON ?? '').split(':');
  const python = named || 'python3';
  const has = (module: string) => hasModules(python, module.startsWith('torch.') ? ['tensorboard', module] : [module]);
  const modules = ['tensorboardX', 'torch.utils.tensorboard'].filter(has);
  if (modules.length > 0) return { python, modules };
  const reason = `${python} has neither tensorboardX nor PyTorch with tensorboard: their writers are not tried (WARREN_TENSORBOARD_PYTHON names another)`;
  if (process.env.CI === 'true') throw new Error(reason);
  console.warn(`skipped: ${reason}`);
  return { python, modules };
}

const { python, modules } = writers();
const api = modules.length === 0 ? null : await apiForTests();

async function runProgram(script: string, folder = temporaryFolder()): Promise<string> {
  const variables = {
    ...{ PYTHONPATH: join(projectRoot(), 'clients', 'python'), WARREN_API_URL: api!.url },
    SCRIPT: script,
  };
  return await runShell(`exec ${python} -W ignore -c "$SCRIPT" 2>&1`, variables, folder);
}

async function onlyRunOf(project: string) {
  const query = `query ($project: String!) { runs(project: $project, first: 5) { edges { node {
    id state configuration { parameters } metrics { name pointCount lastStep lastValue }
    media(first: 20) { name kind step metadata } } } } }`;
  const { runs } = await api!.ok(query, { project });
  expect(runs.edges).toHaveLength(1);
  return runs.edges[0].node;
}

describe.skipIf(api === null)('a program that writes for TensorBoard', () => {
  it.each(modules)('logs it to its run, too: %s', async (module) => {
    const project = `written-${module}`;
    await runProgram(`
import sys; sys.path.append(".")
from ${module} import SummaryWriter
import numpy, warren
before = SummaryWriter("logs")
run = warren.init(project="${project}", config={"model": "mlp"}, sync_tensorboard=True, save_code=False)
warren.log({"waiting": 2.0}, commit=False)
for step in range(0, 300, 100):
    before.add_scalar("train/loss", 1.0 / (1 + step), step)
for value in (3.0, 2.0, 1.0):
    before.add_scalar("without_step", value)
before.add_scalars("accuracy", {"train": 0.75, "valid": 0.5}, 7)
before.add_histogram("weights", numpy.array([0.0, 0.0, 1.0, 4.0]), 5)
before.add_image("sample", numpy.zeros((3, 4, 6), dtype=numpy.uint8), 6)
before.add_text("comment", "**well**", 8)
before.add_hparams({"lr": 0.5, "layers": 3, "activation": "relu"}, {"best": 0.25})
warren.log({"own": 1.0}, step=9)
run.finish()
before.add_scalar("train/loss", 9.0, 900)
warren.init(project="${project}-after", save_code=False)
before.add_scalar("train/loss", 9.0, 901)
warren.finish()
`);
    const run = await onlyRunOf(project);
    // the folders of `add_scalars`
    const between = module === 'tensorboardX' ? '/' : '_';
    expect(run.state).toBe('SUCCEEDED');
    expect(run.configuration.parameters).toEqual({
      ...{ model: 'mlp', lr: 0.5, layers: 3, activation: 'relu' },
    });
    const metrics = Object.fromEntries(
      (run.metrics as { name: string; pointCount: number; lastStep: number; lastValue: number }[])
        .filter(({ name }) => !name.startsWith('system/'))
        .map(({ name, pointCount, lastStep, lastValue }) => [name, [pointCount, lastStep, lastValue]]),
    );
    expect(metrics).toEqual({
      'train/loss': [3, 200, Math.fround(1 / 201)],
      without_step: [3, 2, 1],
      [`accuracy${between}train/accuracy`]: [1, 7, 0.75],
      [`accuracy${between}valid/accuracy`]: [1, 7, 0.5],
      best: [1, 0, 0.25],
      own: [1, 9, 1],
      waiting: [1, 9, 2],
    });
    expect(Object.fromEntries(run.media.map((one: { name: string }) => [one.name, one]))).toMatchObject({
      weights: { kind: 'histogram', step: 5 },
      sample: { kind: 'image', step: 6 },
      comment: { kind: 'text', step: 8, metadata: { text: '**well**' } },
    });
    const { counts } = run.media.find(({ name }: { name: string }) => name === 'weights').metadata;
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(4);
    expect(
      (await onlyRunOf(`${project}-after`)).metrics.filter(({ name }: { name: string }) => name === 'train/loss'),
    ).toEqual([]);
  });

  it.each(modules)(
    'logs it where W&B is asked before the run begins, and events that cannot be logged end nothing: %s',
    async (module) => {
      const project = `patched-${module}`;
      const printed = await runProgram(`
import sys; sys.path.append(".")
import warren as wandb
import os
os.makedirs("tensorboard")  # of logs, and no package
wandb.tensorboard.patch(root_logdir="logs")
from ${module} import SummaryWriter
wandb.init(project="${project}", save_code=False)
inner = SummaryWriter("logs/second")
inner.add_scalar("loss", float("nan"), 1)
inner.add_scalar("loss", 0.5, 2)
inner.file_writer.event_writer.add_event(type("Event", (), {"summary": None, "step": 3, "SerializeToString": lambda self: b""})()) if "X" in "${module}" else None
inner.add_scalar("loss", 0.25, 4)
print("trained")
`);
      expect(printed).toContain('trained');
      const { state, metrics } = await onlyRunOf(project);
      expect(state).toBe('SUCCEEDED');
      expect(metrics.filter(({ name }: { name: string }) => !name.startsWith('system/'))).toMatchObject([
        { name: 'second/loss', pointCount: 3, lastStep: 4, lastValue: 0.25 },
      ]);
    },
  );

  it('is told where nothing that writes is installed', async () => {
    const printed = await runProgram(`
import importlib.util, warren
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name.startswith("tensorboard") else found(name, *more)
warren.init(project="absent", sync_tensorboard=True, save_code=False)
`);
    expect(printed).toContain('neither tensorboard nor tensorboardX is installed');
    expect((await onlyRunOf('absent')).state).toBe('SUCCEEDED');
  });
});
