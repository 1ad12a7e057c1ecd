import type { RunAttempt } from '#src/base/contracts/runAttempt.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { findConfigurations, upsertConfiguration } from '#src/runs/store/configurationRecord.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { describeProgram, replaceConfiguration } from '#src/external/store/externalRunContent.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { checkedObject, externalConfiguration } from '#src/runs/externalConfiguration.ts';
import { hearProgram } from '#src/runs/externalRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/**
 * Adds parameters to an external run while it runs, or changes them: it then has the configuration with all of them, which
 * is final when the run ends. A command's configuration was fixed when it was queued: what its program adds stands in the
 * run's environment as `config`. The same call again changes nothing.
 * @throws WarrenError NOT_FOUND, BAD_INPUT, and CONFLICT when the run has ended.
 */
export async function addParameters(
  context: Pick<ServiceContext, 'db'>,
  input: { runId: string; parameters: unknown; attempt?: RunAttempt | undefined },
): Promise<RunRecord> {
  const added = checkedObject(input.parameters, 'parameters');
  return await inTransaction(context.db, async (connection) => {
    const run = await hearProgram(connection, input.runId, { attempt: input.attempt });
    const [before] = await findConfigurations(connection, [run.configurationHash]);
    invariant(before !== undefined, `run ${run.number} has no configuration`);
    if (before.kind === 'command') {
      await describeProgram(connection, run.id, { config: added });
      await sendNotifications(connection, runNotifications([run]));
      return run;
    }
    const parameters = checkedObject({ ...before.parameters, ...added }, 'parameters');
    const configuration = externalConfiguration(parameters, before.datasetName);
    if (configuration.hash === before.hash) return run;
    await upsertConfiguration(connection, configuration);
    await replaceConfiguration(connection, run.id, configuration.hash);
    await sendNotifications(connection, runNotifications([run]));
    return { ...run, configurationHash: configuration.hash };
  });
}
