import { z } from 'zod';
import { metricsOfAddedKind } from '#src/catalog/modules/addedContent.ts';
import { kindByName } from '#src/catalog/kinds.ts';
import { parametersJsonSchema } from '#src/catalog/resolveConfiguration.ts';
import { renderTable } from '#src/base/terminal/table.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';

const propertySchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional(), enum: z.array(z.unknown()).optional() })).optional(),
  default: z.unknown().optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});
type Property = z.infer<typeof propertySchema>;

/** A kind's parameters, nested ones by their paths, with type, default and meaning, and its presets, for people. Throws NOT_FOUND for unknown kinds. */
export function describeKind(name: string, terminal: Pick<Terminal, 'colours' | 'width'>): string {
  const kind = kindByName(name);
  const { colours } = terminal;
  const options = { width: terminal.width(), styleHeader: colours.bold };
  const parameters = renderTable(
    [
      { header: 'PARAMETER' },
      { header: 'TYPE', minimum: 8 },
      { header: 'DEFAULT' },
      { header: 'MEANING', minimum: 20 },
    ],
    parameterRows(parametersJsonSchema(kind)),
    options,
  );
  const presets = renderTable(
    [{ header: 'PRESET' }, { header: 'DATASET' }, { header: 'WHAT IT IS', minimum: 20 }],
    kind.presets.map((preset) => [preset.name, preset.dataset ?? '', preset.description]),
    options,
  );
  const metrics = renderTable(
    [{ header: 'METRIC' }, { header: 'BETTER' }, { header: 'MEANING', minimum: 20 }],
    Object.entries(metricsOfAddedKind(name)).map(([metric, { direction, description }]) => [
      metric,
      direction ?? 'neither way',
      description,
    ]),
    options,
  );
  const title = `${colours.bold(`${kind.kind}: ${kind.title}`)} (version ${kind.version})`;
  return [
    title,
    kind.description,
    colours.dim(kind.source),
    '',
    ...parameters,
    '',
    ...presets,
    ...(metrics.length > 1 ? ['', ...metrics] : []),
  ].join('\n');
}

/** Path, type, default and meaning of each parameter of a JSON Schema. */
export function parameterRows(schema: unknown): string[][] {
  const { properties } = z.looseObject({ properties: z.record(z.string(), propertySchema).default({}) }).parse(schema);
  return rowsOf(properties, '');
}

/** A group's own row has neither type nor default: its members have. */
function rowsOf(properties: Readonly<Record<string, unknown>>, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, given]) => {
    const property = propertySchema.parse(given);
    const path = `${prefix}${name}`;
    const description = property.description ?? '';
    if (property.properties !== undefined) {
      return [[path, '', '', description], ...rowsOf(property.properties, `${path}.`)];
    }
    const initial = property.default === undefined ? '' : JSON.stringify(property.default);
    return [[path, typeOf(property), initial, description]];
  });
}

function typeOf(property: Pick<Property, 'type' | 'enum' | 'anyOf'>): string {
  if (property.enum !== undefined) return property.enum.join(' | ');
  if (property.anyOf !== undefined) return property.anyOf.map(typeOf).join(' | ');
  return [property.type ?? 'any'].flat().join(' | ');
}
