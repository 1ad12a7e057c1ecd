import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { hasModules } from '../support/pythonModules.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** The Python that `WARREN_NOTEBOOK_PYTHON` or `WARREN_MLFLOW_PYTHON` names, if it has a kernel of Jupyter; null, with the reason, if not. */
function notebookPython(): string | null {
  const [named] = (process.env.WARREN_NOTEBOOK_PYTHON ?? process.env.WARREN_MLFLOW_PYTHON ?? '').split(':');
  const python = named || 'python3';
  if (hasModules(python, ['ipykernel', 'nbclient'])) return python;
  const reason = `${python} has no ipykernel and nbclient: notebooks are not tried (WARREN_NOTEBOOK_PYTHON names another)`;
  if (process.env.CI === 'true') throw new Error(reason);
  console.warn(`skipped: ${reason}`);
  return null;
}

const python = notebookPython();
const api = python === null ? null : await apiForTests();

/** Executes notebooks, each in a kernel that is shut down after its last cell, and answers what each of their cells showed. */
async function execute(notebooks: readonly (readonly string[])[]): Promise<string[][][]> {
  const variables = {
    PYTHONPATH: join(projectRoot(), 'clients', 'python'),
    ...{ WARREN_API_URL: api!.url, CELLS: notebooks.map((cells) => JSON.stringify(cells)).join('\n') },
    PROGRAM: join(projectRoot(), 'test', 'integration', 'clients', 'notebook.py'),
  };
  const printed = await runShell(`printf '%s\\n' "$CELLS" | ${python} "$PROGRAM"`, variables, temporaryFolder());
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[][]);
}

/** State, error and log of the runs of a project, the oldest first. */
async function runsOf(project: string): Promise<{ state: string; error: string | null; log: string[] }[]> {
  const query = `query ($project: String!) { runs(project: $project, first: 9) { edges { node {
    state error { message } logs(first: 100) { lines { level text } } } } } }`;
  const { runs } = await api!.ok(query, { project });
  type Found = { state: string; error: { message: string } | null; logs: { lines: { level: string; text: string }[] } };
  return (runs.edges as { node: Found }[]).reverse().map(({ node }) => ({
    state: node.state,
    error: node.error?.message ?? null,
    log: node.logs.lines.map(({ level, text }) => `${level} ${text}`),
  }));
}

describe.skipIf(python === null)('a notebook', () => {
  it('ends a run where the next init follows, as its last cell ended, and shows runs as HTML', async () => {
    const [shown, later] = await execute([
      [
        `import logging, warren
logging.basicConfig()
run = warren.init(project="cells", name="<first>", config={"lr": 0.1}, save_code=False)`,
        'run',
        'print("trains")\nlogging.warning("slowly")\nwarren.log({"loss": 0.5})',
        'def step(): raise ValueError("no such item")\nstep()',
        'run = warren.init(project="cells", name="second", save_code=False)\nprint("trains again")',
        '%%capture\nprint("nobody sees it")\nwarren.log({"loss": 0.25})',
        'raise ValueError("mended below")',
        'print("after it")',
      ],
      [
        '%%capture\nimport warren\nkept = warren.init(project="cells", name="third", save_code=False)',
        'other = warren.init(project="cells", reinit="create_new", save_code=False)\nother.finish()',
        'print("third")',
        'warren.Api().runs("cells", order="+created_at")',
        'raise KeyError("the last cell")',
      ],
    ]);
    expect(shown![1]![0]).toContain('<b>&lt;first&gt;</b></a> (run ');
    expect(shown![1]![0]).toContain('<td>lr</td><td>0.1</td>');
    expect(shown![4]!.join('')).toContain('as another init follows in this notebook');
    expect(later![3]![0]).toContain('<th>loss</th>');
    const runs = await runsOf('cells');
    expect(runs.map(({ state, error }) => [state, error])).toEqual([
      ['FAILED', 'ValueError: no such item'],
      ['SUCCEEDED', null],
      ['FAILED', "KeyError: 'the last cell'"],
      ['SUCCEEDED', null],
    ]);
    const [first, second, third] = runs.map(({ log }) => log.join('\n'));
    expect(first).toMatch(
      /^info trains\nwarn WARNING:root:slowly\nerror Traceback[\s\S]*error ValueError: no such item/,
    );
    expect(first, 'without the frames that execute cells').not.toContain('IPython');
    expect(second).toMatch(
      /^info trains again\ninfo nobody sees it\nerror Traceback[\s\S]*error ValueError: mended below\ninfo after it$/,
    );
    expect(third).toMatch(/^info third$/m);
  });
});
