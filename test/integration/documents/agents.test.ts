import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { createExternalRun } from '../support/externalRunCalls.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const document = documentForTests('agents.md');
const api = await apiForTests();
const here = { 'http://127.0.0.1:4680': api.url };
const claude = document.take('claude', here);
const cursor = document.take('cursor', here);
const vscode = document.take('vscode', here);

const serverSchema = z.object({
  command: z.literal('warren'),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});

/** Starts what a configuration says, as an agent does, and has it find the one run that there is. */
async function findsTheRun({ args, env }: Omit<z.output<typeof serverSchema>, 'command'>): Promise<unknown> {
  const client = new Client({ name: 'agent', version: '1' });
  const surroundings = { PATH: process.env.PATH ?? '', WARREN_HOME: temporaryFolder() };
  const started = { command: process.execPath, args: [builtFile('cli.js'), ...args], env: { ...surroundings, ...env } };
  await client.connect(new StdioClientTransport({ ...started, stderr: 'ignore' }), { timeout: 60_000 });
  try {
    const { structuredContent } = await client.callTool({ name: 'find_runs', arguments: {} }, { timeout: 60_000 });
    return structuredContent;
  } finally {
    await client.close();
  }
}

await createExternalRun(api, { name: 'the run' });
const found = { total: 1, runs: [{ number: 1, name: 'the run' }] };

it('is added to Claude Code', async () => {
  const said = await runShell(`claude() { printf '%s\\n' "$@"; }\n${claude}`, {});
  const words = said.trimEnd().split('\n');
  expect(words.slice(0, 3)).toEqual(['mcp', 'add', 'warren']);
  const [name = '', value = ''] = words[words.indexOf('--env') + 1]?.split('=') ?? [];
  const [command, ...args] = words.slice(words.indexOf('--') + 1);
  expect(command).toBe('warren');
  expect(await findsTheRun({ args, env: { [name]: value } })).toMatchObject(found);
});

it('is added to Cursor and to VS Code', async () => {
  const { mcpServers } = z.object({ mcpServers: z.object({ warren: serverSchema }) }).parse(JSON.parse(cursor));
  expect(await findsTheRun(mcpServers.warren)).toMatchObject(found);
  const { servers } = z.object({ servers: z.object({ warren: serverSchema }) }).parse(JSON.parse(vscode));
  expect(await findsTheRun(servers.warren)).toMatchObject(found);
});
