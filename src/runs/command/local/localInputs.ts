import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { badInput } from '#src/base/contracts/errors.ts';
import type { ArtifactSource } from '#src/base/contracts/executorMessages.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';

/** Files as the inputs of a run, by what it calls them. Throws BAD_INPUT for one that cannot be read. */
export async function localInputs(files: Readonly<Record<string, string>>): Promise<Record<string, ArtifactSource>> {
  const inputs: Record<string, ArtifactSource> = {};
  for (const [name, path] of Object.entries(files)) {
    const bytes = await readFile(path).catch((error: unknown) => {
      throw badInput(`cannot read ${path}: ${coerceError(error).message}`, '--input');
    });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    inputs[name] = { name, sha256, sizeBytes: bytes.length, url: pathToFileURL(resolve(path)).href };
  }
  return inputs;
}
