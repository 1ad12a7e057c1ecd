import { invariant } from '#src/base/lib/invariant.ts';
import { laidOver } from '#src/base/lib/laidOver.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { findConfigurations, upsertConfiguration } from '#src/runs/store/configurationRecord.ts';
import { describeTrialRun } from '#src/external/store/externalRunContent.ts';
import { findRunsById, type RunRecord } from '#src/runs/store/runRecord.ts';
import { checkedTags } from '#src/base/contracts/runFields.ts';
import { checkedObject, externalConfiguration } from '#src/runs/externalConfiguration.ts';
import { hearExternalRun } from '#src/runs/externalRun.ts';

/** What a program says of its run when it begins. */
export interface BeginningProgram {
  name: string | null;
  parameters: Record<string, unknown>;
  datasetName: string | null;
  tags: readonly string[];
  notes: string;
  environment: Record<string, unknown>;
}

/**
 * The run of a trial that an agent has taken, whose program begins: what it says of itself is added once. Values that the
 * sweep has drawn stay as they are.
 * @returns null where the run is none, or not there.
 * @throws WarrenError like `hearExternalRun`.
 */
export async function joinTrial(
  connection: Connection,
  id: string,
  { name, parameters, datasetName, tags, notes, environment }: BeginningProgram,
): Promise<RunRecord | null> {
  const [found] = await findRunsById(connection, [id]);
  if (found?.sweepId == null) return null;
  const [drawn] = await findConfigurations(connection, [found.configurationHash]);
  invariant(drawn !== undefined, `run ${found.number} has no configuration`);
  if (drawn.kind !== 'external') return null;
  const run = await hearExternalRun(connection, id);
  const all = checkedObject(laidOver(parameters, drawn.parameters), 'parameters');
  const configuration = externalConfiguration(all, drawn.datasetName ?? datasetName);
  await upsertConfiguration(connection, configuration);
  const described = await describeTrialRun(connection, id, {
    name: name ?? run.name,
    tags: checkedTags([...run.tags, ...tags]),
    ...{ notes, environment, configurationHash: configuration.hash },
  });
  if (described === null) return run;
  await sendNotifications(connection, runNotifications([described]));
  return described;
}
