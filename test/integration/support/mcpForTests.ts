import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { createCommandContext } from '#src/base/terminal/commandContext.ts';
import { runCommandLine } from '#src/cli/runCommandLine.ts';
import { atEndOfFile } from './atEndOfFile.ts';
import { capturedSurroundings } from './capturedSurroundings.ts';
import { variablesWith } from './warrenCommand.ts';

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

/**
 * An agent's connection to `warren mcp` in this process, by the protocol's own client, over the lines that would be its standard
 * streams; ended after the tests of the file.
 */
export async function mcpForTests({ parameters = [], variables, modern = false }: McpOptions): Promise<McpSession> {
  const negotiation = modern ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const client = new Client({ name: 'warren tests', version: '1' }, negotiation);
  const [input, out] = [new PassThrough(), new PassThrough()];
  const surroundings = capturedSurroundings(['mcp', ...parameters], variablesWith(variables));
  const code = await runCommandLine(createCommandContext({ ...surroundings, input, out }));
  if (code !== 0) throw new Error(surroundings.stderr());
  // the same lines either way
  await client.connect(new StdioServerTransport(out, input), { timeout: 60_000 });
  atEndOfFile(async () => {
    await client.close();
    input.end();
  });
  return {
    client,
    async call(tool, input = {}) {
      const answer = await client.callTool({ name: tool, arguments: input }, { timeout: 60_000 });
      const { isError, content, structuredContent } = resultSchema.parse(answer);
      return { isError, text: content.map(({ text }) => text).join('\n'), data: structuredContent };
    },
  };
}
