import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const hasMypy = spawnSync('python3', ['-m', 'mypy', '--version']).status === 0;
if (!hasMypy) console.warn('skipped: python3 cannot import mypy');

const PROGRAM = `import warren

run = warren.init(project="typed", config={"lr": 0.1}, seed=1, mode="disabled", entity="mine")
lr: float = run.config.lr
run.summary["best"] = 0.4
warren.config.update({"epochs": 3})
run.log({"t": warren.Table(columns=["a"], data=[[1]]), "h": warren.Histogram([1, 2, 3])}, step=1)
warren.log_artifact(warren.Artifact("m", type="model"))
warren.finish()
`;
const TYPOS = ['warren.lgo({"x": 1})', 'run.lgo({"x": 1})', 'run.url + 1', 'warren.init(projct="x")'];

it.skipIf(!hasMypy)('a type checker takes a program as it is meant, and finds misspelled names and options', () => {
  const folder = temporaryFolder();
  const program = join(folder, 'program.py');
  writeFileSync(program, PROGRAM + TYPOS.join('\n'));
  const { stdout } = spawnSync('python3', ['-m', 'mypy', '--strict', program], {
    cwd: folder,
    env: { ...process.env, MYPYPATH: join(projectRoot(), 'clients', 'python') },
    encoding: 'utf8',
  });
  const lines = stdout.matchAll(/^program\.py:(\d+): error/gm);
  const first = PROGRAM.split('\n').length;
  expect([...new Set([...lines].map(([, line]) => Number(line) - first))]).toEqual([0, 1, 2, 3]);
});
