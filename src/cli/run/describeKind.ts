import { z } from 'zod';
import type { KindDefinition } from '../../catalog/kind.ts';
import { kindByName } from '../../catalog/kinds.ts';
import { parametersJsonSchema } from '../../catalog/resolveConfiguration.ts';
import { renderTable } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';

const propertySchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional(), enum: z.array(z.unknown()).optional() })).optional(),
  default: z.unknown().optional(),
  description: z.string().optional(),
});
type Property = z.infer<typeof propertySchema>;

/** A kind's parameters with type, default and meaning, and its presets, for people. Throws NOT_FOUND for unknown kinds. */
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
    parameterRows(kind),
    options,
  );
  const presets = renderTable(
    [{ header: 'PRESET' }, { header: 'DATASET' }, { header: 'WHAT IT IS', minimum: 20 }],
    kind.presets.map((preset) => [preset.name, preset.dataset ?? '', preset.description]),
    options,
  );
  const title = `${colours.bold(`${kind.kind}: ${kind.title}`)} (version ${kind.version})`;
  return [title, kind.description, colours.dim(kind.source), '', ...parameters, '', ...presets].join('\n');
}

function parameterRows(kind: KindDefinition): string[][] {
  const schema = z
    .object({ properties: z.record(z.string(), propertySchema).default({}) })
    .parse(parametersJsonSchema(kind));
  return Object.entries(schema.properties).map(([name, property]) => [
    name,
    typeOf(property),
    property.default === undefined ? '' : JSON.stringify(property.default),
    property.description ?? '',
  ]);
}

function typeOf(property: Pick<Property, 'type' | 'enum' | 'anyOf'>): string {
  if (property.enum !== undefined) return property.enum.join(' | ');
  if (property.anyOf !== undefined) return property.anyOf.map(typeOf).join(' | ');
  return [property.type ?? 'any'].flat().join(' | ');
}
