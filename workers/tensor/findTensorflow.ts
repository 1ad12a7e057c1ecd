import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  TENSORFLOW_FOLDER,
  TENSORFLOW_RECORD,
  type TensorflowInstallation,
  tensorflowInstallationSchema,
} from '#src/base/contracts/tensorflowInstallation.ts';
import { shellCommand } from '#src/base/lib/projectRoot.ts';

/** The command that installs TensorFlow's library and builds the binding to it. */
export function installTensorflowCommand(): string {
  return `${shellCommand()} backend install tensorflow`;
}

/**
 * What `warren backend install tensorflow` left in Warren's home (WARREN_HOME), as long as all of it is there and it is for
 * the library that WARREN_LIBTENSORFLOW names, where that is set. Else what is missing and what to do. Loads nothing.
 */
export function findTensorflow(
  environment: NodeJS.ProcessEnv = process.env,
): TensorflowInstallation | { missing: string } {
  const install = `run \`${installTensorflowCommand()}\``;
  const record = join(resolve(environment.WARREN_HOME || '.warren'), TENSORFLOW_FOLDER, TENSORFLOW_RECORD);
  const wanted = environment.WARREN_LIBTENSORFLOW || null;
  if (!existsSync(record)) {
    if (wanted === null) return { missing: `TensorFlow's library is not installed: ${install}` };
    return { missing: `no binding was built for WARREN_LIBTENSORFLOW (${wanted}): ${install}` };
  }
  const installation = readRecord(record);
  if (installation === null) return { missing: `${record} is damaged: ${install} again` };
  if (wanted !== null && resolve(wanted) !== installation.folder) {
    return {
      missing: `WARREN_LIBTENSORFLOW is ${wanted}, but the binding was built for ${installation.folder}: ${install} again`,
    };
  }
  const gone = [...installation.libraries, installation.binding].find((file) => !existsSync(file));
  if (gone !== undefined) return { missing: `${gone} is gone: ${install} again` };
  return installation;
}

function readRecord(file: string): TensorflowInstallation | null {
  try {
    return tensorflowInstallationSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}
