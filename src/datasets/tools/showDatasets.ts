import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { CatalogDatasetDocument, type CatalogDatasetQuery, CatalogDatasetsDocument } from '#src/generated/api.ts';
import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { meantOrThere } from '#src/base/lib/nearNames.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { markdownTable, NOTHING, paragraphs, cellText } from '#src/base/tools/markdown.ts';
import { defineTool, type ToolAnswer } from '#src/base/tools/tool.ts';

export const showDatasets = defineTool({
  name: 'datasets',
  title: 'Datasets',
  description:
    'Datasets that runs may select. Without `dataset` a list, with what was counted where a run has used one; with one its description, licence, citation, counts, and what papers print about it.',
  effect: 'reads',
  input: z.strictObject({ dataset: z.string().optional().describe('Name of a dataset, such as amazon-beauty') }),
  async answer({ api }, { dataset: name }) {
    if (name === undefined) return await list(api);
    const { dataset } = await api.request(CatalogDatasetDocument, { name });
    if (dataset !== null) return describe(dataset);
    const { datasets } = await api.request(CatalogDatasetsDocument, {});
    const hint = meantOrThere(
      name,
      datasets.map((one) => one.name),
    );
    throw new WarrenError('NOT_FOUND', `there is no dataset "${name}".${hint}`);
  },
});

async function list(api: ApiClient): Promise<ToolAnswer> {
  const { datasets } = await api.request(CatalogDatasetsDocument, {});
  const rows = datasets.map(({ name, title, known, versions }) => [
    ...[name, title, known ? 'catalog' : 'runs', countsText(versions[0]?.statistics)],
  ]);
  return {
    text: markdownTable(['dataset', 'title', 'known from', 'counted'], rows),
    data: {
      datasets: datasets.map(({ name, title, known, versions }) => ({
        ...{ name, title, known, statistics: versions[0]?.statistics ?? null },
      })),
    },
  };
}

/** Whole counts alone: users, items, interactions. */
function countsText(statistics: unknown): string {
  const counts = Object.entries(asPlainObject(statistics)).filter(([, value]) => Number.isInteger(value));
  return counts.map(([name, value]) => `${cellText(value)} ${name}`).join(', ') || NOTHING;
}

function describe(dataset: NonNullable<CatalogDatasetQuery['dataset']>): ToolAnswer {
  const { name, title, home, licence, citation, description, published, versions } = dataset;
  const facts = [
    ['Home', home],
    ['Licence', licence],
    ['Cite', citation],
  ].flatMap(([what, text]) => (text == null ? [] : [`- ${what}: ${text}`]));
  const rows = published.map(({ source, users, items, interactions, note }) => [
    ...[source, String(users), String(items), String(interactions), note ?? ''],
  ]);
  return {
    text: paragraphs(
      `**${name}**: ${title}. ${description ?? ''}`,
      facts.join('\n'),
      versions.length === 0
        ? 'No run has used it here.'
        : versions
            .map(({ fingerprint, statistics }) => `- ${fingerprint.slice(0, 12)}: ${countsText(statistics)}`)
            .join('\n'),
      rows.length === 0 ? null : markdownTable(['printed in', 'users', 'items', 'interactions', 'note'], rows),
    ),
    data: { ...dataset },
  };
}
