import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { atEndOfFile } from '../support/atEndOfFile.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const python = pythonForTests();
const node = nodeForTests();

/** Stands for a proxy, or for what is before a server: it answers nothing, and remembers what it was asked. */
const asked: { url: string | undefined; authorization: string | undefined }[] = [];
const between = createServer(({ url, headers }, response) => {
  asked.push({ url, authorization: headers.authorization });
  response.writeHead(503).end();
});
await new Promise<void>((done) => void between.listen(0, '127.0.0.1', done));
atEndOfFile(() => void between.close());
const address = between.address();
const port = typeof address === 'object' ? address?.port : 0;

const BASIC = `Basic ${Buffer.from('ada:sec@ret').toString('base64')}`;

it.skipIf(python === null)(
  'a Python program goes through the proxy, and sends the password of an address alone there',
  async () => {
    const program = `
import glob, warren
run = warren.init(project="p", save_code=False, console=False); run.finish(patience=0.1)
print(run.url, [path for path in glob.glob("warren-runs/*/*") if "sec%40ret" in open(path).read() or "sec@ret" in open(path).read()])`;
    const variables = {
      WARREN_API_URL: ' http://ada:sec%40ret@warren.invalid ',
      http_proxy: `http://127.0.0.1:${port}`,
    };
    asked.length = 0;
    const { code, stdout, stderr } = await python!.start(program, variables).ended;
    expect([code, stdout.trim()], stderr).toEqual([0, 'None []']);
    expect(stderr).not.toMatch(/sec|ada/);
    expect(asked[0]).toEqual({ url: 'http://warren.invalid/graphql', authorization: BASIC });
    asked.length = 0;
    await python!.start(program, { ...variables, no_proxy: 'warren.invalid' }).ended;
    expect(asked, 'no_proxy').toEqual([]);
  },
);

it('a Node program sends the password of an address, and shows it nowhere', async () => {
  asked.length = 0;
  const { stderr } = await node.start(
    "const run = await warren.init({ project: 'p', saveCode: false, console: false }); await run.finish({ patience: 0.1 });",
    { WARREN_API_URL: `http://ada:sec%40ret@127.0.0.1:${port}` },
  ).ended;
  expect(asked[0]).toEqual({ url: '/graphql', authorization: BASIC });
  expect(stderr).not.toMatch(/sec|ada/);
});

it.skipIf(python === null)('variables of W&B stand behind Warren’s own and the options of init', async () => {
  const program = `
import warren
run = warren.init(name="own", save_code=False)
print(run.project, run.name, run.tags, run.notes, run.group, run.offline); run.finish()`;
  const { stdout, stderr } = await python!.start(program, {
    ...{ WANDB_MODE: 'dryrun', WANDB_PROJECT: 'theirs', WANDB_NAME: 'theirs', WANDB_TAGS: 'a, b', WANDB_NOTES: 'n' },
    ...{ WANDB_RUN_GROUP: 'g', WANDB_API_KEY: 'k', WARREN_PROJECT: 'mine' },
  }).ended;
  expect(stdout.trim()).toBe("mine own ('a', 'b', 'g') n g True");
  expect(stderr).toContain('these variables say nothing here: WANDB_API_KEY');
});
