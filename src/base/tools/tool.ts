import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { toErrorRecord } from '#src/base/contracts/errors.ts';
import type { ApiClient } from '../terminal/apiClient.ts';
import type { CommandContext } from '../terminal/commandContext.ts';
import { failureText } from '../terminal/reportFailure.ts';

/** What an agent gets: Markdown for it to read, and the same in full for its programs. */
export interface ToolAnswer {
  text: string;
  data: Record<string, unknown>;
}

/** What a tool works with, one a call. */
export interface ToolContext {
  /** As of the command line, but what it says about its work is added to the answer. */
  command: CommandContext;
  api: ApiClient;
  /** Whether commands of one's own may be queued, and executed again. */
  allowCommands: boolean;
}

/** What a tool does to the records of Warren. */
export type ToolEffect = 'reads' | 'adds' | 'changes' | 'executes';

export interface ToolDefinition<Input extends z.ZodObject> {
  name: string;
  title: string;
  /** An agent chooses and calls it by this alone. */
  description: string;
  input: Input;
  effect: ToolEffect;
  /** Whether the same call again changes nothing more. */
  idempotent?: boolean;
  answer(context: ToolContext, input: z.output<Input>): Promise<ToolAnswer>;
}

/** Where tools come from: the command line's context, asked anew for each call, since a server may have moved. */
export interface ToolSurroundings {
  command: CommandContext;
  allowCommands: boolean;
}

export interface Tool {
  name: string;
  title: string;
  register(server: McpServer, surroundings: ToolSurroundings): void;
}

/** A tool whose input is checked by its schema before it is asked, and whose failures are told in the words of the command line. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, title, description, input: schema, effect, idempotent = effect === 'reads' } = definition;
  const annotations: ToolAnnotations = {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'changes' || effect === 'executes',
    idempotentHint: idempotent,
    openWorldHint: effect === 'executes',
  };
  return {
    name,
    title,
    register(server, surroundings) {
      // the protocol's types know no more of a schema in general than that it makes an object: read again, it has its own type
      const inputSchema: z.ZodObject = schema;
      const config = { title, description, inputSchema, annotations };
      server.registerTool(name, config, (input) => call(definition, surroundings, schema.parse(input)));
    },
  };
}

async function call<Input extends z.ZodObject>(
  { answer }: ToolDefinition<Input>,
  { command: shared, allowCommands }: ToolSurroundings,
  input: z.output<Input>,
): Promise<CallToolResult> {
  const said: string[] = [];
  const say = (text: string) => void said.push(text.replace(/^warren: /, ''));
  const command = { ...shared, terminal: { ...shared.terminal, say } };
  try {
    const { text, data } = await answer({ command, api: await shared.api(), allowCommands }, input);
    return { content: [{ type: 'text', text: [text, ...said].join('\n\n') }], structuredContent: data };
  } catch (thrown) {
    const { path, ...record } = toErrorRecord(thrown);
    // options of the command line are members of the input here
    const where = path === undefined ? {} : { path: path.replace(/^--/, '') };
    return { content: [{ type: 'text', text: failureText({ ...record, ...where }) }], isError: true };
  }
}
