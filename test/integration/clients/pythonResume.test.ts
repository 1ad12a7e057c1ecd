import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });
const { runOf, history } = loggedRuns(api);

const SYNC = 'import sys, warren.__main__\nsys.exit(warren.__main__.main(["sync"]))';

/** A program that logs three points of `x`, beginning with `from`. */
const program = (id: string, from: number, options: string) => `
import warren
with warren.init(project="mine", id="${id}"${options}) as run:
    for i in range(3): run.log({"x": ${from} + i})
print(run.id)
`;

describe.skipIf(python === null)('a run that several programs log to', () => {
  const { run } = python!;

  it('goes on after it has succeeded, with what another program finds on the test data', async () => {
    const id = (await run(program('trained', 0, ''))).trim();
    const printed = await run(`
import warren
with warren.init(project="mine", id="trained", resume="must", tags=["tested"]) as run:
    run.log({"test/accuracy": 0.9})
try:
    warren.init(project="mine", id="trained")
except ValueError as error:
    print(error)
`);
    expect(printed.trim()).toBe('id: run trained is there already; resume="allow" goes on with it');
    const found = await runOf(id);
    expect(found).toMatchObject({ state: 'SUCCEEDED' });
    const last = Object.fromEntries(
      found.metrics.map(({ name, lastStep, lastValue }: Record<string, unknown>) => [name, [lastStep, lastValue]]),
    );
    expect(last).toMatchObject({ x: [2, 2], 'test/accuracy': [3, 0.9] });
  });

  it('is one run after programs that were offline, each after the steps of the one before', async () => {
    const offline = ', mode="offline", resume="allow"';
    const id = (await run(program('twice', 0, offline))).trim();
    expect((await run(program('twice', 10, offline))).trim()).toBe(id);
    await expect(run(program('twice', 20, ', mode="offline"'))).rejects.toThrow(/run twice is there already/);
    expect(await run(SYNC)).not.toContain('refused');
    expect(await runOf(id)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await history(id, 'x')).toMatchObject({ steps: [0, 1, 2, 3, 4, 5], values: [0, 1, 2, 10, 11, 12] });
    expect(await run(SYNC)).not.toContain('refused');
    expect((await history(id, 'x')).steps).toHaveLength(6);
    const kept = readdirSync(join(python!.folder, 'warren-runs', id));
    expect(kept.filter((name) => name.endsWith('.refused'))).toEqual([]);
  });

  it('is made whatever its name and tags are', async () => {
    const printed = await run(`
import warren
with warren.init(project="mine", name=" " + "n" * 300, tags=["", " a ", "a", "t" * 150] + list(range(60))) as run:
    print(run.id)
with warren.init(project="mine", name="  ") as run: pass
`);
    const { name, tags } = await runOf(printed.trim());
    expect(name).toBe('n'.repeat(200));
    expect(tags).toHaveLength(50);
    expect(tags.slice(0, 3)).toEqual(['a', 't'.repeat(100), '0']);
  });
});
