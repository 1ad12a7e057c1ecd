import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { webhookHeaders } from '#src/base/platform/outgoing/webhookSignature.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { atEndOfFile } from '../support/atEndOfFile.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';

const document = documentForTests('alerts.md');
const api = await apiForTests({ outgoing: { allowedNetworks: ['all'], mail: null, publicUrl: null } });
const bodies: string[] = [];
const slack = createServer((request, response) => {
  request.on('data', (text) => bodies.push(String(text)));
  request.on('end', () => response.end('ok'));
});
const slackPort = await freePort(0);
await new Promise<void>((resolve) => slack.listen(slackPort, '127.0.0.1', resolve));
atEndOfFile(() => void slack.close());
const rules = document.take('rules', { 'https://hooks.slack.com': `http://127.0.0.1:${slackPort}` });
const port = await freePort(0);
const verify = document.take('verify', { '8080': String(port) });

it('makes and tests rules, and shows what was sent', async () => {
  const said = await runShell(rules, { WARREN_API_URL: api.url });
  expect(said).toContain('alert rule 1: a run ends FAILED or CRASHED, 1 to be told');
  expect(said).toMatch(/alert rule 2: valid\/ndcg@10 is no better for 5 values, 1 to be told\nwhsec_\S{44}\n/);
  expect(said).toMatch(new RegExp(`sent to http://127.0.0.1:${slackPort}/…`));
  expect(said).toMatch(/#1 info Test of alert rule 1/);
  expect(bodies).toHaveLength(1);
});

it('shows a receiver that takes what is signed, and each message once', async () => {
  const file = join(temporaryFolder(), 'receiver.mjs');
  writeFileSync(file, verify);
  const secret = `whsec_${Buffer.from('secret').toString('base64')}`;
  const receiver = spawn(process.execPath, [file], { env: { ...process.env, WEBHOOK_SECRET: secret } });
  atEndOfFile(() => void receiver.kill());
  let printed = '';
  receiver.stdout.on('data', (text) => (printed += String(text)));
  const body = JSON.stringify({ data: { alerts: [{ title: 'it failed' }] } });
  const headers = webhookHeaders(secret, { id: 'a', timestampSeconds: Math.floor(Date.now() / 1000), body });
  const post = async (with_: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: with_, body })).status;
  await waitUntil('the receiver listens', async () => (await post(headers).catch(() => null)) === 200);
  expect(await post(headers)).toBe(200);
  expect(await post({ ...headers, 'webhook-id': 'b' })).toBe(401);
  await waitUntil('its word', () => printed !== '');
  expect(printed).toBe('it failed\n');
});
