import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  OPENBLAS_FOLDER,
  OPENBLAS_RECORD,
  type OpenblasInstallation,
  openblasInstallationSchema,
} from '#src/base/contracts/openblasInstallation.ts';
import { shellCommand } from '#src/base/lib/projectRoot.ts';

/**
 * The file of OpenBLAS: that which WARREN_OPENBLAS names, else what `warren backend install openblas` left in Warren's home.
 * Or what is missing and what to do. Loads nothing.
 */
export function findOpenblas(environment: NodeJS.ProcessEnv = process.env): string | { missing: string } {
  const install = `run \`${shellCommand()} backend install openblas\``;
  const wanted = environment.WARREN_OPENBLAS || 'off';
  if (wanted !== 'on' && wanted !== 'off') {
    const file = resolve(wanted);
    return existsSync(file) ? file : { missing: `there is no ${file}` };
  }
  const record = join(resolve(environment.WARREN_HOME || '.warren'), OPENBLAS_FOLDER, OPENBLAS_RECORD);
  if (!existsSync(record)) return { missing: `OpenBLAS is not installed: ${install}` };
  const installation = readRecord(record);
  if (installation === null) return { missing: `${record} is damaged: ${install} again` };
  return existsSync(installation.file)
    ? installation.file
    : { missing: `${installation.file} is gone: ${install} again` };
}

function readRecord(file: string): OpenblasInstallation | null {
  try {
    return openblasInstallationSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}
