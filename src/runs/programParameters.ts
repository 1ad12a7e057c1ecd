import { isPlainObject } from '#src/base/lib/plainObject.ts';
import type { Connection } from '#src/base/database/connection.ts';
import type { ConfigurationRecord } from '#src/runs/store/configurationRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { listRunTexts } from '#src/runs/store/runTexts.ts';

/** Whether the program of a run may add parameters to those that were queued: commands alone have needs. */
export function mayAddParameters(run: Pick<RunRecord, 'needs'>): boolean {
  return run.needs !== null;
}

/** A configuration with the parameters that the program of its run added, as its environment has them; what was queued stays. */
export function withProgramParameters(
  configuration: ConfigurationRecord,
  environment: Readonly<Record<string, unknown>> | undefined,
): ConfigurationRecord {
  const added = environment?.config;
  if (configuration.kind !== 'command' || !isPlainObject(added)) return configuration;
  return { ...configuration, parameters: { ...configuration.parameters, ...added, ...configuration.parameters } };
}

/** By run its configuration, among those given, with what its program added. */
export async function configurationsByRun(
  connection: Connection,
  runs: readonly RunRecord[],
  configurations: readonly ConfigurationRecord[],
): Promise<Map<string, ConfigurationRecord>> {
  const byHash = new Map(configurations.map((configuration) => [configuration.hash, configuration]));
  const texts = await listRunTexts(
    connection,
    runs.filter(mayAddParameters).map(({ id }) => id),
  );
  const environments = new Map(texts.map((one) => [one.runId, one.environment]));
  return new Map(
    runs.flatMap((run) => {
      const configuration = byHash.get(run.configurationHash);
      return configuration === undefined
        ? []
        : [[run.id, withProgramParameters(configuration, environments.get(run.id))] as const];
    }),
  );
}
