import type { RunState } from '#src/base/contracts/runState.ts';
import {
  type ComparisonBlock,
  groupMetricsOf,
  groupOrderOf,
  type PanelBlock,
  type ReportBlock,
  runOrderOf,
  selectionOf,
  type TableBlock,
} from '#src/base/contracts/report/reportBlock.ts';
import { flattenJson } from '#src/base/lib/flattenJson.ts';
import { alignedDecimals, meanText, writeGroupedTable } from '#src/base/lib/groupedTable.ts';
import { valueText } from '#src/base/lib/labels.ts';
import { shownGroups } from '#src/base/lib/shownGroups.ts';
import { groupRules, ruledName, valueChoice } from '#src/base/lib/valueRules.ts';
import { markdownText } from '#src/base/lib/tableText.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { type ConfigurationRecord, findConfigurations } from '#src/runs/store/configurationRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { comparisonExport } from '#src/comparisons/comparisonExport.ts';
import { compareRuns } from '#src/comparisons/compareRuns.ts';
import { groupName } from '#src/comparisons/groupName.ts';
import { pairedTests } from '#src/comparisons/pairedTests.ts';
import { runValues } from '#src/metrics/valuesOfSeries.ts';
import { listRuns } from '#src/runs/listRuns.ts';
import { runGroups } from '#src/runs/runGroups.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export type MarkdownContext = Pick<ServiceContext, 'db'> & { artifacts: ArtifactStore; signal?: AbortSignal };

/**
 * What a block shows now, as Markdown: tables as tables, a figure as the table of the values of its runs.
 * @param project Name of the report's project.
 * @throws WarrenError as the table of runs and comparisons do.
 */
export async function blockMarkdown(context: MarkdownContext, block: ReportBlock, project: string): Promise<string> {
  const title = block.title === null ? '' : `**${escapeMarkdown(block.title)}**\n\n`;
  if (block.type === 'comparison') return title + (await comparisonMarkdown(context, block));
  if (block.type === 'table') return title + (await tableMarkdown(context, block, project));
  return title + (await panelMarkdown(context, block, project));
}

/** A text of somebody else's as Markdown shows it, without meaning anything. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&').replaceAll('\n', ' ');
}

async function panelMarkdown(context: MarkdownContext, block: PanelBlock, project: string): Promise<string> {
  const { kind, formula, metrics: named } = block.panel;
  const metrics = kind === 'media' ? [] : named;
  const table = { ...block, metrics, values: 'last', baseline: null, columns: [], type: 'table' as const };
  const names = named.map(escapeMarkdown).join(', ');
  const what =
    kind === 'media'
      ? `What these runs have to look at under ${names} stands in the report itself:`
      : `Figure of ${formula === undefined ? names : `${escapeMarkdown(formula)}, from ${names}`}; the values of its runs:`;
  return `${what}\n\n${await tableMarkdown(context, table, project)}`;
}

async function tableMarkdown(context: MarkdownContext, block: TableBlock, project: string): Promise<string> {
  return block.groupBy.length === 0
    ? await runTable(context, block, project)
    : await groupTable(context, block, project);
}

async function groupTable(context: MarkdownContext, block: TableBlock, project: string): Promise<string> {
  const { groupBy, baseline, first } = block;
  const page = await runGroups(context, {
    ...selectionOf(block.shown, project),
    ...{ groupBy: [...groupBy], metrics: groupMetricsOf(block), orderBy: groupOrderOf(block), baseline, first },
  });
  const groups = page.edges.map(({ node }) => node);
  if (groups.length === 0) return '_No run matches._\n';
  const hashes = groups.flatMap(({ configurationHash }) => configurationHash ?? []);
  const configurations = byHash(await findConfigurations(context.db, [...new Set(hashes)]));
  const answered = groups.map((group) => ({
    ...group,
    configuration: configurations.get(group.configurationHash ?? '') ?? null,
  }));
  const table = shownGroups(
    answered as Parameters<typeof shownGroups>[0],
    page.fields,
    page.metrics.map((metric) => ruledName(metric.name, groupRules(metric))),
  );
  const more = page.totalCount > groups.length ? `\n_The first ${groups.length} of ${page.totalCount} groups._\n` : '';
  return writeGroupedTable(table, 'md') + more;
}

async function runTable(context: MarkdownContext, block: TableBlock, project: string): Promise<string> {
  const page = await listRuns(context, {
    ...selectionOf(block.shown, project),
    ...{ first: block.first, orderBy: runOrderOf(block) },
  });
  const runs = page.edges.map(({ node }) => node);
  if (runs.length === 0) return '_No run matches._\n';
  const configurations = byHash(
    await findConfigurations(context.db, [...new Set(runs.map((run) => run.configurationHash))]),
  );
  const ids = runs.map(({ id }) => id);
  const values = await runValues(context.db, ids, { names: block.metrics, choice: valueChoice(block.values) });
  const columns = block.metrics.map((name) => {
    const ofRuns = runs.map(({ id }) => values.get(id)?.get(name)?.value ?? null);
    const decimals = alignedDecimals(ofRuns);
    return ofRuns.map((value) => ({ text: meanText(value, null, decimals) }));
  });
  const heads = ['run', 'name', 'state', ...block.columns];
  const rows = runs.map((run, row) => [
    ...[`${run.number}`, run.name, stateWord(run.state)].map((text) => ({ text })),
    ...block.columns.map((field) => ({ text: fieldOf(run, configurations.get(run.configurationHash), field) })),
    ...columns.map((cells) => cells[row]!),
  ]);
  const total = block.shown.matched ?? (page.pageInfo.hasNextPage ? await page.totalCount() : runs.length);
  const more = total > runs.length ? `\n_The first ${runs.length} of ${total} runs._\n` : '';
  const ruled = block.metrics.map((name) =>
    ruledName(name, [...new Set(ids.flatMap((id) => values.get(id)?.get(name)?.rule ?? []))].sort()),
  );
  return markdownText({ heads: [...heads, ...ruled], rows, numbersFrom: heads.length }) + more;
}

async function comparisonMarkdown(context: MarkdownContext, block: ComparisonBlock): Promise<string> {
  const comparison = await compareRuns(context, block.runs.map(String));
  const configurations = byHash(comparison.groups.map(({ configuration }) => configuration));
  const named = {
    ...comparison,
    runs: comparison.runs.map((run) => ({ ...run, configuration: configurations.get(run.configurationHash)! })),
  };
  if (block.show === 'differences') {
    const heads = comparison.groups.map((group) => groupName(named, group));
    const differing = comparison.fields.filter(({ differs, path }) => differs && path !== 'seed');
    if (differing.length === 0) return '_The runs differ in their seeds alone._\n';
    const places = comparison.groups.map(({ runIds }) => comparison.runs.findIndex(({ id }) => id === runIds[0]));
    const rows = differing.map(({ path, values }) =>
      [path.replace(/^parameters\./, ''), ...places.map((place) => valueText(values[place]))].map((text) => ({ text })),
    );
    return markdownText({ heads: ['', ...heads], rows, numbersFrom: heads.length + 1 });
  }
  const { artifacts, signal } = context;
  const { metrics, baseline, perUser } = block;
  const tests = await pairedTests({ db: context.db, artifacts }, comparison, {
    metrics,
    baseline,
    perUser,
    ...(signal && { signal }),
  });
  return writeGroupedTable(comparisonExport(named, { metrics: tests.map(({ name }) => name), tests }), 'md');
}

function byHash(configurations: readonly ConfigurationRecord[]): Map<string, ConfigurationRecord> {
  return new Map(configurations.map((configuration) => [configuration.hash, configuration]));
}

/** `succeeded`. */
export function stateWord(state: RunState): string {
  return state.toLowerCase();
}

function fieldOf(run: RunRecord, configuration: ConfigurationRecord | undefined, field: string): string {
  const own: Readonly<Record<string, unknown>> = {
    ...{ seed: run.seed, preset: run.preset, tags: run.tags.join(', '), created: run.createdAt },
    ...{ kind: configuration?.kind, dataset: configuration?.datasetName },
  };
  if (Object.hasOwn(own, field)) return own[field] == null ? '' : valueText(own[field]);
  const path = field.replace(/^config\./, '');
  const found = flattenJson(configuration?.parameters ?? null, 'parameters').find(
    ([name]) => name === path || name === `parameters.${path}`,
  );
  return found === undefined ? '' : valueText(found[1]);
}
