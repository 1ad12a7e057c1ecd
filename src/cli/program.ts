import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { familiarOption } from '../base/terminal/arguments/familiarOption.ts';
import { nearNames } from '../base/lib/nearNames.ts';
import { projectRoot } from '../base/lib/projectRoot.ts';
import type { CommandContext } from '../base/terminal/commandContext.ts';
import { addAlertCommand } from '../alerts/command/alert.ts';
import { addApiCommand } from './commands/api.ts';
import { addBackendCommand } from './commands/backend.ts';
import { addAuditCommand } from '../audit/command/audit.ts';
import { addArtifactsCommand } from '../artifacts/command/artifacts.ts';
import { addBackupCommand } from '../backup/command/backup.ts';
import { addChangeCommands } from '../runs/command/changeRuns.ts';
import { addCleanCommand } from './commands/clean.ts';
import { addCompareCommand } from '../comparisons/command/compare.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDataCommand } from '../datasets/command/data.ts';
import { addDownloadCommand } from '../artifacts/command/download.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addExportCommand } from '../exports/command/export.ts';
import { addImportCommand } from '../imports/command/import.ts';
import { addKindsCommand } from '../kinds/command/kinds.ts';
import { addLsCommand } from '../runs/command/ls.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addModelCommand } from '../registry/command/model.ts';
import { addPriorityCommand } from '../queue/command/priority.ts';
import { addProjectCommand } from './commands/project.ts';
import { addQueueCommand } from '../queue/command/queue.ts';
import { addReportCommand } from '../reports/command/report.ts';
import { addReproduceCommand } from '../studies/command/reproduce.ts';
import { addRestoreCommand } from '../backup/command/restore.ts';
import { addRunCommand } from '../programs/command/run.ts';
import { addShowCommand } from '../runs/command/show.ts';
import { addShareCommand } from '../sharing/command/share.ts';
import { addStatusCommand } from '../administration/command/status.ts';
import { addDecisionCommand } from '../decisions/command/decision.ts';
import { addSweepCommand } from '../sweeps/command/sweep.ts';
import { addTokenCommand } from '../people/command/token.ts';
import { addUserCommand } from '../people/command/user.ts';
import { addUpCommand } from './commands/up.ts';
import { addWorkerCommand } from './commands/worker.ts';
import { addWorkersCommand } from '../fleet/command/workers.ts';

const EXAMPLES = `
Examples:
  warren demo                                   set everything up, run real experiments, compare them
  warren up                                     database, API, dashboard and a worker, until Ctrl-C
  warren run overrec --dataset amazon-beauty --wait
  warren run mf-bpr --dataset amazon-beauty --seeds 1-3 --set dimension=128
  warren run overrec --dataset amazon-beauty --local --json
  warren ls 'kind = overrec and metric."test/ndcg@10" > 0.02'
  warren compare 3 4 5

Exit codes: 0 done, 1 a run or a check failed, 2 wrong input, 3 a service does not answer.
Environment: WARREN_HOME, WARREN_DATA, WARREN_KINDS, WARREN_OFFLINE, WARREN_API_URL, WARREN_TOKEN, DATABASE_URL, REDIS_URL; \`warren doctor\` shows what they lead to.`;

/** The whole command line; the commands print through `context`. */
export function createProgram(context: CommandContext): Command {
  const program = new Command('warren')
    .description('Queue experiments, follow them, compare what they found.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.terminal.out.write(text),
      writeErr: (text) => context.terminal.say(text.trimEnd()),
      outputError: (text, write) => write(`warren: ${withFamiliar(oneLine(text))}`),
    })
    .addHelpText('after', EXAMPLES);

  program.commandsGroup('Start:');
  addDemoCommand(program, context);
  addUpCommand(program, context);
  addApiCommand(program, context);
  addWorkerCommand(program, context);
  program.commandsGroup('Run experiments:');
  addRunCommand(program, context);
  addKindsCommand(program, context);
  addSweepCommand(program, context);
  addReproduceCommand(program, context);
  addPriorityCommand(program, context);
  addQueueCommand(program, context);
  addWorkersCommand(program, context);
  program.commandsGroup('Runs:');
  addLsCommand(program, context);
  addShowCommand(program, context);
  addDownloadCommand(program, context);
  addChangeCommands(program, context);
  program.commandsGroup('Compare and share:');
  addCompareCommand(program, context);
  addDecisionCommand(program, context);
  addReportCommand(program, context);
  addShareCommand(program, context);
  addMcpCommand(program, context);
  program.commandsGroup('Data and models:');
  addDataCommand(program, context);
  addModelCommand(program, context);
  addExportCommand(program, context);
  addImportCommand(program, context);
  program.commandsGroup('Operate:');
  addStatusCommand(program, context);
  addDoctorCommand(program, context);
  addAlertCommand(program, context);
  addCleanCommand(program, context);
  addProjectCommand(program, context);
  addArtifactsCommand(program, context);
  addBackupCommand(program, context);
  addRestoreCommand(program, context);
  addTokenCommand(program, context);
  addUserCommand(program, context);
  addAuditCommand(program, context);
  addBackendCommand(program, context);
  addMigrateCommand(program, context);
  addCompletionCommand(program, context);
  program.helpCommand('help [command]', 'explain a command');
  refuseHelpOfNothing(program);
  for (const command of program.commands) tellUsage(command, `warren ${command.name()}`);
  return program;
}

/** Words of other programs, and of the clients, for what is a command here. */
const FAMILIAR: ReadonlyMap<string, string> = new Map([
  ...(['rm', 'remove', 'del', 'trash'] as const).map((word) => [word, 'warren delete'] as const),
  ...(['kill', 'stop', 'abort'] as const).map((word) => [word, 'warren cancel'] as const),
  ...(['list', 'runs', 'ps'] as const).map((word) => [word, 'warren ls'] as const),
  ...(['start', 'server', 'serve', 'ui'] as const).map((word) => [word, 'warren up'] as const),
  ...(['get', 'pull', 'files'] as const).map((word) => [word, 'warren download'] as const),
  ...([
    ['agent', 'python -m warren agent'],
    ['sync', 'python -m warren sync'],
    ['launch', 'warren run'],
    ['log', 'warren logs'],
    ['login', 'the variable WARREN_TOKEN'],
    ['init', 'warren up'],
  ] as const),
]);

/** What an unknown command is called here, in place of one that is only spelled alike. */
function withFamiliar(text: string): string {
  const command = FAMILIAR.get(/unknown command '([^']*)'/.exec(text)?.[1] ?? '');
  if (command !== undefined) return `${text.replace(/ \(Did you mean.*\)$/, '')}; that is ${command} here`;
  return /unknown command '[^']*'$/.test(text) ? `${text}; \`warren --help\` lists them` : text;
}

/** `help foo` and `foo --help` of no command say so, as `foo` does, and do not explain all others. `help sweep show` is of the latter. */
function refuseHelpOfNothing(parent: Command): void {
  parent.addHelpText('beforeAll', ({ command }) => {
    const [first = '', ...rest] = parent.args;
    const word = first === 'help' ? (rest[0] ?? '') : first;
    if (first === 'help' && command.parent === parent) {
      command.commands.find((one) => one.name() === rest[1] || one.aliases().includes(rest[1] ?? ''))?.help();
    }
    const names = parent.commands.flatMap((one) => [one.name(), ...one.aliases()]);
    if (command !== parent || !/^\w/.test(word) || [...names, 'help'].includes(word)) return '';
    const near = nearNames(word, names, 1).map((name) => `\n(Did you mean ${name}?)`);
    parent.error(`error: unknown command '${word}'${near.join('')}`);
  });
}

/** What commander says is wrong with a command's words is followed by what would be right. */
function tellUsage(command: Command, path: string): void {
  const names = command.commands.map((one) => one.name());
  if (names.length > 0) {
    command.helpCommand('help [command]', 'explain a command');
    refuseHelpOfNothing(command);
  }
  for (const one of command.commands) tellUsage(one, `${path} ${one.name()}`);
  command.configureOutput({
    ...command.configureOutput(),
    outputError: (text, write) =>
      write(`warren: ${familiarOption(oneLine(text).replace(/\.$/, ''), command, path)}${advice(text)}`),
  });
  const advice = (text: string): string => {
    if (/unknown command/.test(text)) return text.includes('(Did you mean') ? '' : `; ${path} has ${names.join(', ')}`;
    return /missing required argument|too many arguments/.test(text) ? `; write ${path} ${command.usage()}` : '';
  };
}

/** Commander's `error: unknown option '--x'\n(Did you mean --y?)` as one line. */
function oneLine(text: string): string {
  return text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ');
}

function readVersion(): string {
  const text = readFileSync(join(projectRoot(), 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
