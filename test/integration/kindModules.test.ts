import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiProcessesForTests } from './support/apiProcessesForTests.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { startProgram } from './runtime/testWorkers.ts';
import { apiForTests, clientOf } from './support/apiForTests.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { startShell } from './support/runShell.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';
import { runWarren } from './support/warrenCommand.ts';

const folder = temporaryFolder();
const modules = join(folder, 'my-kinds');
mkdirSync(modules);
const kind = (name: string, more = '') =>
  `defineKind({ kind: '${name}', title: 'A kind', parameters: z.strictObject({}), run: async () => {}${more} })`;

/** Each is left out, because of what is said beside it. */
const BROKEN: Record<string, [source: string, problem: string]> = {
  taken: [
    `export const mine = ${kind('sasrec')};`,
    'kind sasrec: there is a kind of that name already; choose another',
  ],
  throws: [
    'const nothing = null as { a: number } | null;\nexport const mine = nothing!.a;',
    "(reading 'a') (throws.ts:3:",
  ],
  computes: ['export const mine = tf.scalar(1);', '"tf" of warren/kinds computes: use it in run'],
  unknown: ['export const mine = defineKinds({});', 'unknown.ts:1:'],
  syntax: ['export const = 1;', 'syntax.ts:2:14: '],
  elsewhere: ["import '@tensorflow/tfjs-core';", 'import { tf } from "warren/kinds"'],
  shape: [`export const mine = ${kind('My kind')};`, 'kind: received "My kind", expected lower-case words'],
  parameter: [
    `export const mine = ${kind('bare', ', parameters: z.strictObject({ depth: z.int().default(1) })')};`,
    'kind bare: parameter depth has no description',
  ],
  loose: [`export const mine = ${kind('loose', ', parameters: z.object({})')};`, 'use z.strictObject'],
  preset: [
    `export const mine = definePreset('sasrec', { name: 'mine/deep', dataset: 'ml-1m', parameters: { block: 9 } });`,
    'preset mine/deep of kind sasrec: parameters.block: is not known. Did you mean "blocks"?',
  ],
  direction: [
    `export const mine = ${kind('better', ", metrics: { 'test/ndcg@10': { direction: 'higher', description: 'Mine.' } }")};`,
    'kind better: metric test/ndcg@10: is declared by the last part of its name, in lower case and without a cut-off: ndcg',
  ],
  metric: [
    `export const mine = ${kind('vague', ", metrics: { reach: { direction: 'up', description: 'Mine.' } }")};`,
    'kind vague: metric reach: direction: received "up", expected one of "higher", "lower", null',
  ],
  contradiction: [
    `export const mine = ${kind('bold', ", metrics: { loss: { direction: 'higher', description: 'Mine.' } }")};`,
    'kind bold: metric loss: Warren knows it already: lower is better; say the same, or choose another name',
  ],
  dataset: [
    `export const mine = defineDataset({ name: 'ml-1m', title: 'Mine', holds: 'sequences', files: [{ name: 'a.csv', format: 'table' }] });`,
    'there is a dataset "ml-1m" already',
  ],
};

const IMPORTS: Record<string, string> = { unknown: 'defineKinds', computes: 'tf' };
for (const [name, [source]] of Object.entries(BROKEN)) {
  const names = IMPORTS[name] ?? 'defineDataset, defineKind, definePreset, z';
  writeFileSync(
    join(modules, `${name}.ts`),
    name === 'unknown' || name === 'elsewhere'
      ? `${source} import { ${names} } from 'warren/kinds'; export { ${names} as used };`
      : `import { ${names} } from 'warren/kinds';\n${source}\n`,
  );
}
writeFileSync(join(modules, 'scale.ts'), 'export const scale = (depth: number): number => 10 * depth;\n');
writeFileSync(
  join(modules, 'counter.ts'),
  `import { defineDataset, defineKind, definePreset, z } from 'warren/kinds';
import { z as same } from 'zod';
import { scale } from './scale.ts';

export const shop = defineDataset({
  name: 'my-shop',
  title: 'My shop',
  holds: 'sequences',
  files: [{ name: 'clicks.csv', format: 'table' }],
});
export const deep = definePreset('sasrec', { name: 'mine/sasrec-shop', dataset: 'my-shop', parameters: { blocks: 3 } });
export const counter = defineKind({
  kind: 'counter',
  title: 'Counter',
  data: 'none',
  parameters: z.strictObject({ depth: same.int().min(1).default(2).describe('How deep it counts. Default 2.') }),
  primaryMetric: 'test/depth',
  metrics: { depth: { direction: 'lower', description: 'How deep it has counted.' } },
  run: async ({ parameters, reporter }) => {
    reporter.metric('test/depth', 0, scale(parameters.depth));
  },
});
`,
);
const RUN = 'query ($id: ID!) { run(id: $id) { state waitsFor configuration { kind } } }';
const packageFolder = join(folder, 'node_modules', 'a-package');
mkdirSync(packageFolder, { recursive: true });
writeFileSync(
  join(packageFolder, 'package.json'),
  JSON.stringify({ name: 'a-package', exports: { import: './lib.mjs' } }),
);
writeFileSync(
  join(packageFolder, 'lib.mjs'),
  `import * as w from 'warren/kinds';\nexport const packed = w.definePreset('markov', { name: 'packed/markov', dataset: 'ml-1m' });\n`,
);
const environment = { WARREN_HOME: join(folder, 'home'), WARREN_KINDS: `${modules}, ${join(folder, 'nowhere')}` };

describe('modules of WARREN_KINDS', () => {
  it('add kinds, presets and datasets; those that are wrong are left out, and say what would be right', async () => {
    const variables = { ...environment, WARREN_KINDS: './my-kinds, nowhere, a-package' };
    const listing = startShell(`node ${builtFile('cli.js')} kinds --json`, variables, folder);
    const { code, stdout, stderr } = await listing.ended;
    expect(code, stderr).toBe(0);
    for (const [name, [, problem]] of Object.entries(BROKEN)) {
      const line = stderr.split('\n').find((text) => text.includes(`./my-kinds/${name}.ts is left out: `));
      expect(line, stderr).toContain(problem);
    }
    expect(stderr).toContain('nowhere is left out: Could not resolve "nowhere"');
    expect(stderr).not.toContain('scale.ts');
    const listed = JSON.parse(stdout);
    const metrics = { depth: { direction: 'lower', description: 'How deep it has counted.', source: null } };
    expect(listed).toContainEqual(
      expect.objectContaining({ kind: 'counter', module: './my-kinds/counter.ts', metrics }),
    );
    const markov = listed.find((one: { kind: string }) => one.kind === 'markov');
    expect(markov.presets).toContain('packed/markov');
    const sasRec = listed.find((one: { kind: string }) => one.kind === 'sasrec');
    expect(sasRec.presets).toContain('mine/sasrec-shop');
  });
});

describe('an API with such modules', async () => {
  const postgres = await postgresForTests();
  const startApi = apiProcessesForTests();
  const without = await apiForTests({ postgres });
  let url = '';

  it('starts, lists what could be loaded, and says what could not', async () => {
    const api = startApi({ ...environment, DATABASE_URL: postgres.url, WARREN_PORT: '0' });
    url = await waitUntil('the API', () => api.url, 60_000);
    const { ok } = clientOf(url);
    const { experimentKinds, kindModules, datasets } = await ok(
      '{ experimentKinds { kind parametersSchema } kindModules { module kinds problem } datasets { name } }',
    );
    expect(datasets).toContainEqual({ name: 'my-shop' });
    expect(experimentKinds.at(-1)).toMatchObject({
      kind: 'counter',
      parametersSchema: { properties: { depth: { default: 2 } } },
    });
    expect(kindModules).toContainEqual({ module: `${modules}/counter.ts`, kinds: ['counter'], problem: null });
    expect(kindModules.filter(({ problem }: { problem: unknown }) => problem !== null)).toHaveLength(
      Object.keys(BROKEN).length + 1,
    );
    expect(api.stderr + api.stdout).toContain('taken.ts is left out');
    const where = { WARREN_HOME: environment.WARREN_HOME, WARREN_API_URL: url };
    expect((await runWarren(['doctor', '--json'], where)).stdout).toContain('Kinds of the API');
    expect((await runWarren(['status'], where)).stdout).toContain(`API: ${modules}/taken.ts: kind sasrec: there is`);
  });

  it('has their runs wait for a worker that knows the kind, and shows them where it is not known', async () => {
    const own = { ...environment, WARREN_KINDS: `${modules}/counter.ts`, DATABASE_URL: postgres.url };
    const ordinary = { ...own, WARREN_KINDS: '' };
    const { ok } = clientOf(url);
    const enqueue = async (input: object) => {
      const text = 'mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id warnings } }';
      return (await ok(text, { input })).enqueueRuns[0];
    };
    const stateOf = async (id: string) => (await without.ok(RUN, { id })).run;
    const mine = await enqueue({ kind: 'counter', priority: 1 });
    const words = 'a worker that knows the kind "counter"';
    expect(mine.warnings).toEqual([`the run waits for ${words}, and none is alive`]);
    const plain = await enqueue({ kind: 'popularity', dataset: 'generated/markov-small' });
    await startProgram(builtFile('worker.js'), { ...ordinary, WARREN_API_URL: url });
    await waitUntil('the run that every worker knows', async () => (await stateOf(plain.id)).state === 'SUCCEEDED');
    expect(await stateOf(mine.id)).toEqual({ state: 'QUEUED', waitsFor: words, configuration: { kind: 'counter' } });
    expect((await without.ok('{ queue { unknownKinds { kind runs } } }')).queue.unknownKinds).toEqual([
      { kind: 'counter', runs: 1 },
    ]);
    const withTwo = { ...own, WARREN_KINDS: `${own.WARREN_KINDS},${join(folder, 'nowhere')}` };
    const knowing = await startProgram(builtFile('worker.js'), { ...withTwo, WARREN_API_URL: url });
    await waitUntil('the run of the module', async () => (await stateOf(mine.id)).state === 'SUCCEEDED');
    const { workers, run, runs, experimentKinds } = await ok(
      `query ($id: ID!) {
        workers { pid kinds leftOutModules { module problem } }
        run(id: $id) { environment metrics { name direction description } }
        experimentKinds { kind metrics { name direction } }
        runs(filter: "best.test/depth <= 20") { totalCount }
      }`,
      { id: mine.id },
    );
    const leftOutModules = [{ module: join(folder, 'nowhere'), problem: expect.stringContaining('no such file') }];
    expect(workers).toContainEqual({ pid: knowing.pid, kinds: ['counter'], leftOutModules });
    expect(run.metrics).toContainEqual({
      ...{ name: 'test/depth', direction: 'lower', description: 'How deep it has counted.' },
    });
    expect(experimentKinds.at(-1)).toEqual({ kind: 'counter', metrics: [{ name: 'depth', direction: 'lower' }] });
    expect(runs.totalCount).toBe(1);
    expect(run.environment.kindModule).toMatch(/^counter-[0-9a-f]{12}$/);
  });
});
