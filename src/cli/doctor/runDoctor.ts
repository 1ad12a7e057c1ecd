import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import type { Colours } from '#src/base/terminal/colours.ts';
import { padText } from '#src/base/terminal/textWidth.ts';
import { checkDisk, checkMemory, checkNode, checkPort, checkPrograms } from './checkMachine.ts';
import { checkKindModules } from './checkKindModules.ts';
import { checkBackends, checkDatasets } from './checkNumerics.ts';
import { checkApi, checkDatabase, checkQueue } from './checkServices.ts';
import type { Finding } from '#src/base/terminal/finding.ts';

/** The body of `warren doctor`: all checks at once, then one line each, with what to do below it. */
export async function runDoctor(context: CommandContext, json: boolean): Promise<void> {
  const { terminal } = context;
  const environment = context.environment();
  const checks = await Promise.all([
    checkNode(),
    checkPrograms(),
    checkDatabase(environment),
    checkQueue(environment),
    checkApi(environment),
    checkBackends(context),
    checkDatasets(context),
    checkKindModules(),
    checkDisk(environment),
    checkMemory(),
    checkPort(environment),
  ]);
  const findings = checks.flat();
  const broken = findings.filter((finding) => finding.level === 'broken');
  if (broken.length > 0) context.exitCode = EXIT_FAILED;
  if (json) {
    terminal.print(JSON.stringify({ healthy: broken.length === 0, findings }, null, 2));
    return;
  }
  const width = Math.max(...findings.map((finding) => finding.subject.length));
  for (const finding of findings) for (const line of describe(finding, width, terminal.colours)) terminal.print(line);
  terminal.print(
    broken.length === 0
      ? '\nEverything that is needed is here.'
      : `\nBroken: ${broken.map((finding) => finding.subject).join(', ')}.`,
  );
}

function describe({ subject, level, found, advice }: Finding, width: number, colours: Colours): string[] {
  const mark = { ok: colours.green('ok    '), note: colours.yellow('note  '), broken: colours.red('BROKEN') }[level];
  const first = `${mark}  ${padText(subject, width)}  ${found}`;
  return advice === undefined ? [first] : [first, `${' '.repeat(width + 10)}→ ${advice}`];
}
