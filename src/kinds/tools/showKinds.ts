import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { KindDetailsDocument, type KindDetailsQuery, KindsDocument, type KindsQuery } from '#src/generated/api.ts';
import { flattenObject, asPlainObject } from '#src/base/lib/plainObject.ts';
import { meantOrThere } from '#src/base/lib/nearNames.ts';
import { parameterRows } from '#src/kinds/command/describeKind.ts';
import { firstOf, markdownTable, NOTHING, paragraphs, cellText } from '#src/base/tools/markdown.ts';
import { defineTool, type ToolAnswer } from '#src/base/tools/tool.ts';

const MOST_PRESETS = 30;

export const showKinds = defineTool({
  name: 'kinds',
  title: 'Kinds and presets',
  description:
    'What can be run. Without `kind` a list of models and computations; with one its parameters with type, default and meaning, and its presets (the papers’ settings); with a preset also what that sets.',
  effect: 'reads',
  input: z.strictObject({
    kind: z.string().optional().describe('Name of a kind, such as sasrec'),
    preset: z.string().optional().describe('Name of a preset of the kind, such as sevo/sasrec-beauty'),
  }),
  async answer({ api }, { kind: wanted, preset }) {
    if (wanted === undefined) return list((await api.request(KindsDocument, {})).experimentKinds);
    const { experimentKinds: kinds } = await api.request(KindDetailsDocument, {});
    const kind = kinds.find((one) => one.kind === wanted);
    if (kind !== undefined) return preset === undefined ? describe(kind) : describePreset(kind, preset);
    const hint = meantOrThere(
      wanted,
      kinds.map((one) => one.kind),
    );
    throw new WarrenError('NOT_FOUND', `there is no kind "${wanted}".${hint}`);
  },
});

type Kind = KindDetailsQuery['experimentKinds'][number];

function list(kinds: KindsQuery['experimentKinds']): ToolAnswer {
  const rows = kinds.map(({ kind, title, data, primaryMetric, presets }) => [
    ...[kind, title, data, primaryMetric, String(presets.length)],
  ]);
  return {
    text: markdownTable(['kind', 'what it is', 'data', 'main metric', 'presets'], rows),
    data: { kinds: kinds.map(({ presets, ...kind }) => ({ ...kind, presets: presets.length })) },
  };
}

function describe(kind: Kind): ToolAnswer {
  const parameters = parameterRows(kind.parametersSchema);
  const { shown, note } = firstOf(
    kind.presets,
    MOST_PRESETS,
    (left) =>
      `${left} more presets: ${kind.presets
        .slice(MOST_PRESETS)
        .map(({ name }) => name)
        .join(', ')}`,
  );
  return {
    text: paragraphs(
      `**${kind.kind}**: ${kind.title} (version ${kind.version}). ${kind.description}\n${kind.source}`,
      `Data: ${kind.data}. Main metric: ${kind.primaryMetric}.`,
      markdownTable(['parameter', 'type', 'default', 'meaning'], parameters),
      shown.length === 0
        ? 'No presets.'
        : markdownTable(
            ['preset', 'dataset', 'what it is'],
            shown.map(({ name, dataset, description }) => [name, dataset ?? NOTHING, description]),
          ),
      note,
    ),
    data: {
      ...{
        kind: kind.kind,
        title: kind.title,
        version: kind.version,
        data: kind.data,
        primaryMetric: kind.primaryMetric,
      },
      parameters: parameters.map(([path, type, initial, meaning]) => ({ path, type, default: initial, meaning })),
      presets: kind.presets.map(({ name, dataset }) => ({ name, dataset })),
    },
  };
}

function describePreset(kind: Kind, wanted: string): ToolAnswer {
  const preset = kind.presets.find(({ name }) => name === wanted);
  if (preset === undefined) {
    const hint = meantOrThere(
      wanted,
      kind.presets.map(({ name }) => name),
    );
    throw new WarrenError('NOT_FOUND', `the kind ${kind.kind} has no preset "${wanted}".${hint}`);
  }
  const set = flattenObject(asPlainObject(preset.parameters));
  const selection = flattenObject(asPlainObject(preset.selection), 'dataset.');
  const rows = [...set, ...selection].map(([path, value]) => [path, cellText(value)]);
  return {
    text: paragraphs(
      `**${preset.name}** of ${kind.kind}: ${preset.description}`,
      `Dataset: ${preset.dataset ?? 'none'}.`,
      rows.length === 0 ? 'All parameters have their defaults.' : markdownTable(['parameter', 'value'], rows),
      rows.length === 0 ? null : 'All other parameters have their defaults.',
    ),
    data: { kind: kind.kind, preset },
  };
}
