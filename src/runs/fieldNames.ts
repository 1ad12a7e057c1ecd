import { metricDirection } from '#src/catalog/metricDirection.ts';
import { isUnknownField } from '#src/base/contracts/runFilter/fields.ts';
import { fieldsNamed } from '#src/base/contracts/runFilter/meantFields.ts';
import { parseRunFilter, parseRunOrder } from '#src/base/contracts/runFilter/parse.ts';
import type { RunField, RunFilter } from '#src/base/contracts/runFilter/syntax.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { listTextNames } from '#src/media/store/textNames.ts';
import { listMetricNames } from '#src/metrics/store/metricSeries.ts';
import { usedConfigurations } from './usedConfigurations.ts';

const MOST_NAMES = 5_000;
const MOST_CONFIGURATIONS = 2_000;

/**
 * The filter that a text spells. A name that is no field stands for the parameter, metric or text that is called so in the project,
 * or alone ends with it: `dim`, `lr` for `optimizer.lr`.
 * @throws WarrenError BAD_INPUT as `parseRunFilter`, or where a name may be several.
 */
export async function readFilter(
  connection: Connection,
  projectId: string | null,
  text: string,
): Promise<RunFilter | null> {
  return await withNames(connection, projectId, (named) => parseRunFilter(text, metricDirection, named));
}

/** The field by which runs are ordered, which is named as in filters. @throws WarrenError as `readFilter`. */
export async function readOrder(connection: Connection, projectId: string | null, text: string): Promise<RunField> {
  return await withNames(connection, projectId, (named) => parseRunOrder(text, metricDirection, named));
}

/** Names are read only where a text has one that is no field. */
async function withNames<Read>(
  connection: Connection,
  projectId: string | null,
  read: (named?: (name: string) => string[]) => Read,
): Promise<Read> {
  try {
    return read();
  } catch (error) {
    if (!isUnknownField(error)) throw error;
  }
  const [metrics, { paths }, texts] = await Promise.all([
    listMetricNames(connection, projectId, MOST_NAMES),
    usedConfigurations(connection, projectId, MOST_CONFIGURATIONS),
    listTextNames(connection, projectId, MOST_NAMES),
  ]);
  return read(fieldsNamed({ metrics, configuration: paths, texts }));
}
