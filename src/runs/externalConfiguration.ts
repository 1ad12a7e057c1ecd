import { kindByName } from '#src/catalog/kinds.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { shownValue } from '#src/base/lib/shownValue.ts';
import { stableHash } from '#src/base/lib/stableHash.ts';
import type { ConfigurationRecord } from '#src/runs/store/configurationRecord.ts';
import { refuseLongJson } from '#src/base/contracts/runFields.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';

/** The configuration of an external run with these parameters, free in form, and its hash. */
export function externalConfiguration(
  parameters: Record<string, unknown>,
  datasetName: string | null,
): Omit<ConfigurationRecord, 'createdAt'> {
  const { kind, version: kindVersion } = kindByName('external');
  const content = { kind, kindVersion, dataset: datasetName === null ? null : { name: datasetName }, parameters };
  return { ...content, datasetName, hash: stableHash(content) };
}

/** Of the JSON of the parameters or of the environment, in characters. */
const LONGEST_OBJECT = 128 * 1024;

/** A JSON object that a program gives. @throws WarrenError BAD_INPUT for anything else, and for more than 128 KiB. */
export function checkedObject(value: unknown, path: string): Record<string, unknown> {
  if (!isPlainObject(value)) {
    throw badInput(`${path}: received ${shownValue(value)}, expected an object`, path);
  }
  refuseLongJson(value, { path, most: LONGEST_OBJECT });
  return { ...value };
}
