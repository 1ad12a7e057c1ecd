import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { atEndOfFile } from '../support/atEndOfFile.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });
const { folder, run: runNode } = nodeForTests({ WARREN_API_URL: api.url });
const run = async (script: string): Promise<string> => (await runNode(script)).trim();
const client = join(projectRoot(), 'dist', 'clients');

const { createRun: maker } = await api.ok('mutation { createRun(input: { project: "shop" }) { id number } }');
const put = (name: string, body: string) => api.fetch(`/artifacts/${maker.id}/${name}`, { method: 'PUT', body });
const register = async (name: string, artifactName: string) => {
  const input = { name, runId: maker.id, artifactName, aliases: ['best'] };
  await api.ok('mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { number } }', { input });
};
await put('model.txt', 'five epochs');
await put('net/a.bin', 'first');
await put('net/b.bin', 'second');
await register('ranker', 'model.txt');
await register('net', 'net');
await put('model.txt', 'ten epochs');

const usedBy = async (id: string) =>
  (await api.ok('query ($id: ID!) { run(id: $id) { usedVersions { name number } } }', { id })).run.usedVersions;

it('a program in Node takes registered versions and files of runs, and it is noted', async () => {
  const printed = await run(`
import { createServer, request } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
console.log(await warren.useArtifact('${maker.number}:model.txt', 'own/model.txt'), readFileSync('own/model.txt', 'utf8'));
const run = await warren.init({ project: 'shop' });
const path = await warren.useArtifact('ranker@best');
console.log(path, readFileSync(path, 'utf8'));
console.log(await warren.useArtifact('net:1'), await warren.useArtifact('net:latest/b.bin', 'b.bin'));
for (const wrong of ['ranker', 'ranker@none', 'net:1/c']) await warren.useArtifact(wrong).catch(({ message }) => console.log(message));
await warren.finish();
console.log(run.id);
`);
  const lines = printed.split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'own/model.txt ten epochs',
    'artifacts/ranker-v1/model.txt five epochs',
    'artifacts/net-v1 b.bin',
  ]);
  expect(lines.slice(3, 6)).toEqual([
    expect.stringContaining("useArtifact: 'ranker' is not of the form RUN:NAME"),
    'ranker has no alias "none": it has best',
    'useArtifact: net:1 has no file c',
  ]);
  expect(readFileSync(join(folder, 'artifacts', 'net-v1', 'a.bin'), 'utf8')).toBe('first');
  expect(readFileSync(join(folder, 'b.bin'), 'utf8')).toBe('second');
  expect(await usedBy(lines[6]!)).toEqual([
    { name: 'net', number: 1 },
    { name: 'ranker', number: 1 },
  ]);
});

it('a page takes a file of a version, and it is noted', async () => {
  const page: typeof import('#clients/typescript/browser.ts') = await import(join(client, 'warren.browser.mjs'));
  const { id } = await page.init({ server: api.url, project: 'shop' });
  const options = { server: api.url };
  expect(await (await page.useArtifact('ranker:1', options)).text()).toBe('five epochs');
  await expect(page.useArtifact('net:1', options)).rejects.toThrow('net:1 has 2 files: say which, as net:1/a.bin');
  await page.finish();
  expect(await usedBy(id)).toEqual([{ name: 'ranker', number: 1 }]);
});

it.skipIf(python === null)('what Python registered and took in a journal is sent by Node', async () => {
  const id = (
    await python!.run(`import warren
run = warren.init(project="shop", mode="offline", dir="${folder}/away")
open("x.txt", "w").write("x")
run.log_artifact("x.txt", register="offline")
run.use_artifact("net@best/a.bin", "a.bin")
run.finish()
print(run.id)`)
  )
    .trim()
    .split('\n')
    .at(-1)!;
  await run("await warren.sync('away', { server: process.env.WARREN_API_URL });");
  expect(await usedBy(id)).toEqual([{ name: 'net', number: 1 }]);
  const { registryVersion } = await api.ok('{ registryVersion(version: "offline:1") { run { id } } }');
  expect(registryVersion.run.id).toBe(id);
  const read = await python!.run(`import warren
api = warren.Api()
print(open(api.artifact("me/shop/offline", type="dataset").file()).read())
try:
    api.run("${id}").file("y.txt")
except ValueError as error:
    print(error)`);
  expect(read).toMatch(/^x\nrun \d+ has no file 'y\.txt'; it has .*x\.txt/);
});

it('a program in Node registers what it keeps, and files have the type of their names', async () => {
  const printed = await run(`
import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('made/deep', { recursive: true });
for (const name of ['made/curve.png', 'made/deep/plan.json', 'net.onnx']) writeFileSync(name, name);
const run = await warren.init({ project: 'shop' });
run.logArtifact('made/', { register: 'of-node', aliases: 'production', tags: { epochs: 5 }, description: 'first' });
run.logArtifact('net.onnx', { name: 'out/net.onnx', aliases: ['candidate', 'latest'] });
warren.logArtifact('net.onnx', 'plain.bin');
warren.registerModel('of-node', 'plain.bin', { type: 'model' });
await warren.finish();
console.log(run.id);
`);
  const id = printed.split('\n').at(-1)!;
  const query = 'query ($id: ID!) { run(id: $id) { artifacts { name mediaType } } }';
  const binary = 'application/octet-stream';
  expect((await api.ok(query, { id })).run.artifacts).toEqual([
    { name: 'made/curve.png', mediaType: 'image/png' },
    { name: 'made/deep/plan.json', mediaType: 'application/json' },
    { name: 'out/net.onnx', mediaType: binary },
    { name: 'plain.bin', mediaType: binary },
  ]);
  const version =
    'query ($version: String!) { registryVersion(version: $version) { name number description fileCount run { id } tags } }';
  const found = async (name: string) => (await api.ok(version, { version: name })).registryVersion;
  expect(await found('of-node@production')).toEqual({
    ...{ name: 'of-node', number: 1, description: 'first', fileCount: 2, run: { id } },
    tags: { epochs: '5' },
  });
  expect(await found('net.onnx@candidate')).toMatchObject({ number: 1, fileCount: 1, run: { id } });
  expect(await found('of-node:latest')).toMatchObject({ number: 2, fileCount: 1 });
});

/** Hands on a megabyte. */
function cutOff(found: IncomingMessage, answer: ServerResponse): void {
  let bytes = 0;
  found.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > 1_000_000) found.pause();
    answer.write(piece, () => {
      if (bytes > 1_000_000) answer.destroy();
    });
  });
}

/** A way to the API on which the first downloads come to grief: cut off in the middle, or with a byte that is another. */
async function brokenWay(mishaps: ('cut' | 'changed')[], ranges: string[] = []): Promise<string> {
  const way = createServer((asked, answer) => {
    const { method, headers, url } = asked;
    if (headers.range !== undefined) ranges.push(headers.range);
    const passed = request(`${api.url}${url}`, { method, headers }, (found) => {
      const mishap = url?.startsWith('/artifacts/') === true ? mishaps.shift() : undefined;
      answer.writeHead(found.statusCode ?? 500, found.headers);
      if (mishap === undefined) found.pipe(answer);
      else if (mishap === 'cut') cutOff(found, answer);
      else
        found.once('data', (bytes: Buffer) => {
          answer.write(Buffer.concat([Buffer.from([bytes[0]! ^ 1]), bytes.subarray(1)]));
          found.pipe(answer);
        });
    });
    asked.pipe(passed);
  });
  await new Promise<void>((listening) => way.listen(0, '127.0.0.1', listening));
  atEndOfFile(() => new Promise((closed) => void way.close(closed)));
  const address = way.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
}

const large = 'ten megabytes of weights '.repeat(420_000);

/** Starts of ranges that were asked for: each behind the one before. */
const growing = (ranges: readonly string[]) => {
  const starts = ranges.map((range) => Number(/^bytes=(\d+)-$/.exec(range)?.[1]));
  return starts.every((start, index) => start > (starts[index - 1] ?? 0));
};

it('a download that breaks goes on where it was, however often', async () => {
  await put('large.bin', large);
  const cuts = Array.from({ length: 5 }, () => 'cut' as const);
  const reference = `${maker.number}:large.bin`;
  const page: typeof import('#clients/typescript/browser.ts') = await import(join(client, 'warren.browser.mjs'));
  const [ofNode, ofPage, ofPython]: [string[], string[], string[]] = [[], [], []];
  const server = await brokenWay([...cuts], ofNode);
  await run(`await warren.useArtifact('${reference}', 'resumed.bin', { server: '${server}' });`);
  expect(readFileSync(join(folder, 'resumed.bin'), 'utf8') === large).toBe(true);
  const content = await page.useArtifact(reference, { server: await brokenWay([...cuts], ofPage) });
  expect((await content.text()) === large).toBe(true);
  for (const ranges of [ofNode, ofPage]) expect([ranges.length, growing(ranges)]).toEqual([5, true]);
  if (python === null) return;
  const way = await brokenWay([...cuts], ofPython);
  await python.run(`import warren
warren.use_artifact("${reference}", "${folder}/resumed.py.bin", server="${way}")`);
  expect(readFileSync(join(folder, 'resumed.py.bin'), 'utf8') === large).toBe(true);
  expect([ofPython.length, growing(ofPython)]).toEqual([5, true]);
});

it('a download that brings other bytes is begun anew, and never left as a whole file', async () => {
  await put('large.bin', large);
  const [mended, torn] = await Promise.all([
    brokenWay(['cut', 'changed']),
    brokenWay(['changed', 'changed', 'changed']),
  ]);
  const reference = `${maker.number}:large.bin`;
  const printed = await run(`
console.log(await warren.useArtifact('${reference}', 'mended.bin', { server: '${mended}' }));
await warren.useArtifact('${reference}', 'torn.bin', { server: '${torn}' }).catch((error) => console.log(error.message));
`);
  expect(printed.split('\n')).toEqual(['mended.bin', expect.stringContaining('gave other bytes of large.bin')]);
  expect(readFileSync(join(folder, 'mended.bin'), 'utf8') === large).toBe(true);
  expect(readdirSync(folder).filter((name) => /torn|part/.test(name))).toEqual([]);
  const page: typeof import('#clients/typescript/browser.ts') = await import(join(client, 'warren.browser.mjs'));
  const server = await brokenWay(['changed', 'cut']);
  expect((await (await page.useArtifact(reference, { server })).text()) === large).toBe(true);
});

it.skipIf(python === null)('so it is for programs in Python', async () => {
  await put('large.bin', large);
  const [mended, torn] = await Promise.all([brokenWay(['cut', 'changed']), brokenWay(['changed', 'cut', 'cut'])]);
  const reference = `${maker.number}:large.bin`;
  const printed = await python!.run(`import warren
print(warren.use_artifact("${reference}", "${folder}/mended.py.bin", server="${mended}"))
try:
    warren.use_artifact("${reference}", "${folder}/torn.py.bin", server="${torn}")
except warren.Unreachable as error:
    print(error)`);
  expect(printed.trim().split('\n')).toEqual([
    expect.stringContaining('mended.py.bin'),
    expect.stringContaining('breaks off'),
  ]);
  expect(readFileSync(join(folder, 'mended.py.bin'), 'utf8') === large).toBe(true);
  expect(readdirSync(folder).filter((name) => /torn|part/.test(name))).toEqual([]);
});
