import { join } from 'node:path';
import { filledCommand, ownParameters } from '#src/catalog/commandLine.ts';
import { commandKind } from '#src/catalog/kinds/command.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import type { CommandTask } from '#src/base/contracts/executorMessages.ts';
import type { ClaimedCommand } from '#src/programs/claimCommand.ts';
import { CODE_NAME } from '#src/programs/enqueueCommand.ts';
import { artifactUrl, sourceOf } from '../worker/executorTask.ts';

/** How the worker executes commands. */
export type CommandSettings = Pick<
  CommandTask,
  'user' | 'containerEngine' | 'clientsFolder' | 'environmentsFolder' | 'apiUrl'
> & {
  /** Holds the scratch folders of attempts. */
  scratchFolder: string;
};

/** What the executor of a claimed command needs to know. */
export function commandTaskOf(
  { claimed: { run, configuration, token, checkpoint, inputs }, gpus, project }: ClaimedCommand,
  settings: CommandSettings,
): CommandTask {
  const parameters = parseParameters(commandKind, configuration.parameters);
  const { code, folder, environment } = parameters;
  const { apiUrl, scratchFolder, environmentsFolder, user, containerEngine, clientsFolder } = settings;
  return {
    runId: run.id,
    attempt: run.attempt,
    project,
    seed: run.seed,
    startedAtMs: run.startedAt?.getTime() ?? Date.now(),
    command: filledCommand(parameters, run.seed),
    parameters: ownParameters(parameters),
    // its size is checked with its sha256
    code:
      code === null
        ? null
        : { name: CODE_NAME, sha256: code, sizeBytes: 0, url: artifactUrl(apiUrl, run.id, CODE_NAME) },
    folder,
    environment,
    environmentsFolder,
    containerEngine,
    user,
    clientsFolder,
    checkpoint: checkpoint === null ? null : sourceOf(checkpoint, apiUrl),
    inputs: Object.fromEntries(inputs.map(({ name, artifact }) => [name, sourceOf(artifact, apiUrl)])),
    gpus,
    memoryMb: run.needs?.memoryMb ?? null,
    seconds: run.needs?.seconds ?? null,
    workFolder: join(scratchFolder, `${run.id}-${run.attempt}`),
    apiUrl,
    token,
  };
}
