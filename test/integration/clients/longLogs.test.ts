import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { transportTo } from '#clients/typescript/core/transport.ts';
import { CountRunsDocument } from '#clients/typescript/generated/api.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { nodeForTests } from '../support/nodeForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const LOG_BYTES = 32 * 2 ** 20;
const api = await apiForTests({ logBytes: LOG_BYTES });
const variables = { WARREN_API_URL: api.url, WARREN_LOG_MB: '1' };
const python = pythonForTests(variables);
const node = nodeForTests(variables);
const { runOf } = loggedRuns(api);
const LINES = 200_000;

const PAGE = `query ($id: ID!, $after: String) { logs(runId: $id, after: $after, first: 5000) {
  lines { level text } cursor hasMore } }`;

async function logOf(id: string): Promise<{ level: string; text: string }[]> {
  const lines: { level: string; text: string }[] = [];
  for (let after: string | null = null; ; ) {
    const { logs } = await api.ok(PAGE, { id, after });
    lines.push(...logs.lines);
    if (!logs.hasMore) return lines;
    after = logs.cursor;
  }
}

/** Checks that all lines from 0 on are there or counted where they would be. */
async function checkLog(id: string): Promise<void> {
  const lines = await logOf(id);
  let next = 0;
  let left = 0;
  for (const { text, level } of lines) {
    const [, count = null] = /^… ([\d,]+) lines are left out here: more was printed/.exec(text) ?? [];
    if (count !== null) {
      expect(level).toBe('warn');
      left += Number(count.replaceAll(',', ''));
      next += Number(count.replaceAll(',', ''));
    } else if (/^line \d+$/.test(text)) {
      expect(text).toBe(`line ${next}`);
      next += 1;
    }
  }
  expect(next).toBe(LINES);
  expect(left).toBeGreaterThan(LINES / 2);
  expect(lines.map(({ text }) => text)).toContain('last words');
}

it.skipIf(python === null)('a Python program that prints without end keeps beginning and end of its log', async () => {
  const printed = await python!.run(`
import sys, warren
with warren.init(project="long") as r:
    sys.stdout.write("".join("line %d\\n" % i for i in range(${LINES})))
    warren.log_text("last words", "error")
    warren.log({"loss": 1})
    print(r.id)
`);
  const run = await runOf(printed);
  expect(run.state).toBe('SUCCEEDED');
  await checkLog(run.id);
  expect(existsSync(join(python!.folder, 'warren-runs', run.id)), 'all is sent').toBe(false);
});

it('a Node program that prints without end keeps beginning and end of its log', async () => {
  const printed = await node.run(`
const run = await warren.init({ project: 'long' });
for (let i = 0; i < ${LINES}; i++) process.stdout.write('line ' + i + '\\n');
warren.logText('last words', 'error');
warren.log({ loss: 1 });
await warren.finish();
console.log(run.id);
`);
  const run = await runOf(printed);
  expect(run.state).toBe('SUCCEEDED');
  await checkLog(run.id);
});

it.skipIf(python === null)('in Python a limit that is no number is as if it were not there', async () => {
  const code =
    'import os\nos.environ["WARREN_LOG_MB"] = "²"\nfrom warren.log_tail import log_bytes\nprint(log_bytes())';
  expect((await python!.run(code)).trim()).toBe(String(64 * 2 ** 20));
});

it('the server says what it keeps of a log, which is what the clients send', async () => {
  const transport = transportTo(api.url, null);
  expect(transport.logBytes()).toBeNull();
  await transport.ask(CountRunsDocument, {});
  expect(transport.logBytes()).toBe(LOG_BYTES);
  if (python === null) return;
  const script = 'import warren\nprint(warren.init(project="told")._lines._most_bytes)';
  expect((await python.run(script, { WARREN_LOG_MB: '' })).split('\n')).toContain(String(LOG_BYTES));
});
