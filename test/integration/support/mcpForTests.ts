import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { builtFile } from '#src/lib/projectRoot.ts';
import { atEndOfFile } from './atEndOfFile.ts';

export interface ToolResult {
  isError: boolean;
  text: string;
  /** As it came over the wire: a test says what it expects to find. */
  data: ReturnType<typeof JSON.parse>;
}

export interface McpSession {
  client: Client;
  call(tool: string, input?: Record<string, unknown>): Promise<ToolResult>;
}

const resultSchema = z.object({
  isError: z.boolean().default(false),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.unknown().optional(),
});

export interface McpOptions {
  /** Of `warren mcp`. */
  parameters?: readonly string[];
  variables: Record<string, string>;
  /** Speaks the protocol of 2026, without a handshake. */
  modern?: boolean;
}

/** An agent's connection to the built `warren mcp`, by the protocol's own client; ended after the tests of the file. */
export async function mcpForTests({ parameters = [], variables, modern = false }: McpOptions): Promise<McpSession> {
  const negotiation = modern ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const client = new Client({ name: 'warren tests', version: '1' }, negotiation);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtFile('cli.js'), 'mcp', ...parameters],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', WARREN_OFFLINE: '1', ...variables },
    stderr: 'ignore',
  });
  await client.connect(transport, { timeout: 60_000 });
  atEndOfFile(() => client.close());
  return {
    client,
    async call(tool, input = {}) {
      const answer = await client.callTool({ name: tool, arguments: input }, { timeout: 60_000 });
      const { isError, content, structuredContent } = resultSchema.parse(answer);
      return { isError, text: content.map(({ text }) => text).join('\n'), data: structuredContent };
    },
  };
}
