import { isEnqueueable, kindByName } from '#src/catalog/kinds.ts';
import { metricDirection } from '#src/catalog/metricDirection.ts';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { badInput, toErrorRecord } from '#src/base/contracts/errors.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { localInputs } from './local/localInputs.ts';
import { type LocalRunEnd, runLocally } from './local/runLocally.ts';
import { EXIT_BAD_INPUT, EXIT_FAILED, reportFailure } from '#src/base/terminal/reportFailure.ts';
import { createProgressView } from '#src/base/terminal/progressView.ts';
import { resultTable } from './resultTable.ts';
import type { RunRequest } from './runRequest.ts';

/** The body of `warren run --local`. */
export async function runHere(context: CommandContext, { input, files, json }: RunRequest): Promise<void> {
  const { terminal } = context;
  const configuration = resolveConfiguration({ ...input, preset: input.preset ?? null });
  if (!isEnqueueable(kindByName(configuration.kind))) {
    const why =
      configuration.kind === 'command'
        ? 'are queued with `warren run -- COMMAND`'
        : 'are logged by other programs, not executed by Warren';
    throw badInput(`runs of kind ${configuration.kind} ${why}`, 'kind');
  }
  const interruption = context.catchInterruption();
  const view = createProgressView(terminal.error, context.variables);
  const ends = await runLocally({
    configuration,
    seeds: input.seeds,
    inputs: await localInputs(files),
    environment: context.environment(),
    variables: context.variables,
    // A script that reads JSON from a terminal-less place wants no progress lines either.
    view: json && terminal.error.isTTY !== true ? { update: () => {}, finish: () => {} } : view,
    say: (line) => terminal.say(line),
    signal: interruption.signal,
  });
  view.finish();
  interruption.release();
  const good = ends.filter((end) => end.error === null);
  if (json && good.length > 0) {
    const results = good.map((end) => end.result);
    terminal.print(JSON.stringify(input.seeds.length === 1 ? results[0] : results, null, 2));
  } else if (good.length > 0) {
    terminal.print(
      resultTable(
        good.map((end) => end.result),
        { terminal, directionOf: metricDirection },
      ).join('\n'),
    );
    for (const { folder } of good) if (folder !== null) terminal.print(`Artifacts: ${folder}`);
  }
  context.exitCode = interruption.received === null ? failureCode(ends, context) : interruption.exitCode();
}

/** 0 when all went well; else the first error is said. A run that failed over its data or a parameter is wrong input. */
function failureCode(ends: readonly LocalRunEnd[], { terminal, variables }: CommandContext): number {
  const failed = ends.filter((end) => end.error !== null);
  for (const { error, result } of failed) {
    const say = (line: string) =>
      terminal.say(ends.length === 1 ? line : line.replace('warren: ', `warren: seed ${result.seed}: `));
    reportFailure(error, say, variables);
  }
  if (failed.length === 0) return 0;
  const wrongInput = failed.every(({ error }) => ['BAD_INPUT', 'DATA_ERROR'].includes(toErrorRecord(error).code));
  return wrongInput ? EXIT_BAD_INPUT : EXIT_FAILED;
}
