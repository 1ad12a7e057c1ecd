import type { Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

const HELP = `
Agents start it themselves: put it into their configuration. For Claude Code:
  claude mcp add warren -- warren mcp
For others, as JSON, under "mcpServers" (Cursor) or "servers" (VS Code):
  "warren": { "command": "warren", "args": ["mcp"], "env": { "WARREN_API_URL": "http://127.0.0.1:4680" } }

It asks the API as all commands do: WARREN_API_URL and WARREN_TOKEN say which, and what it may see.
docs/agents.md tells more.`;

export function addMcpCommand(program: Command, context: CommandContext): void {
  program
    .command('mcp')
    .summary('answer coding agents about runs (Model Context Protocol)')
    .description(
      'Serve the Model Context Protocol over stdin and stdout, so that coding agents find, read and compare runs. It only reads unless told otherwise.',
    )
    .option('--allow-changes', 'also let the agent queue, cancel, retry, tag and note runs, and create sweeps')
    .option(
      '--allow-commands',
      'with --allow-changes: also let it queue any command, so that it executes anything it likes on workers that take commands',
    )
    .addHelpText('after', HELP)
    .action(async (options: { allowChanges?: boolean; allowCommands?: boolean }) => {
      const { serveMcp } = await import('../mcp/serveMcp.ts');
      serveMcp(context, {
        allowed: { changes: options.allowChanges === true, commands: options.allowCommands === true },
        version: program.version() ?? '',
      });
    });
}
