import { z } from 'zod';
import { failureAdvice } from '#src/base/contracts/failureAdvice.ts';
import { usualMetrics } from '#src/base/contracts/runFilter/filterHints.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import { asPlainObject, flattenObject } from '#src/base/lib/plainObject.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import { fetchRunDetail, type RunDetail } from '#src/runs/command/fetchRuns.ts';
import { formatDuration, millisecondsBetween } from '#src/base/terminal/formatNumber.ts';
import { runAddress } from '#src/base/tools/dashboard.ts';
import { runInput } from '#src/base/tools/inputs.ts';
import { firstOf, markdownTable, NOTHING, paragraphs, significantDigits, cellText } from '#src/base/tools/markdown.ts';
import { defineTool } from '#src/base/tools/tool.ts';

const MOST_ROWS = 40;
const MOST_TEXT = 2_000;
/** What of the environment is told, in this order; lists of packages and the like are long. */
const TOLD = [
  ...['program', 'arguments', 'host', 'backend', 'device', 'gpus', 'arithmetic', 'python', 'node'],
  ...['codeVersion', 'commit', 'codeCommit', 'codeBranch', 'codeChanged', 'kindModule'],
  ...['fingerprint', 'peakRssMb', 'timings'],
];

export const showRun = defineTool({
  name: 'show_run',
  title: 'Show a run',
  description:
    'One run: state, why it failed and what to do, where its configuration differs from its preset (or all parameters, for a program of its own), last, least and greatest value of each metric, environment, tags, notes, artifacts, and its address in the dashboard. Its curves: run_curves; its output: run_log.',
  effect: 'reads',
  input: z.strictObject({
    run: runInput,
    metrics: z
      .string()
      .optional()
      .describe('Only metrics whose name has this text, such as test/; the main ones first when left out'),
    allParameters: z.boolean().default(false).describe('All parameters, also those that are as in the preset'),
  }),
  async answer({ api }, { run: id, metrics: part, allParameters }) {
    const run = await fetchRunDetail(api, id);
    const metrics = chosenMetrics(run, part);
    const advice = failureAdvice(run.state, run.error);
    const settings = settingsOf(run, allParameters);
    const address = runAddress(api, run.number);
    return {
      text: paragraphs(
        `**#${run.number} ${run.name}** ${run.state}, ${address}`,
        facts(run),
        run.error === null
          ? advice
          : `Error ${run.error.code}: ${shorten(run.error.message, MOST_TEXT)}${advice === null ? '' : `\n${advice}`}`,
        settings.text,
        metricsText(metrics, run.metrics.length, part),
        artifactsText(run),
        run.notes === '' ? null : `Notes: ${shorten(run.notes, MOST_TEXT)}`,
      ),
      data: {
        number: run.number,
        id: run.id,
        address,
        name: run.name,
        state: run.state,
        kind: run.configuration.kind,
        preset: run.preset,
        dataset: run.configuration.dataset,
        seed: run.seed,
        project: run.project.name,
        tags: run.tags,
        notes: shorten(run.notes, MOST_TEXT),
        user: run.user,
        createdAt: run.createdAt,
        startedAt: run.startedAt,
        endedAt: run.endedAt,
        attempt: run.attempt,
        error: run.error === null ? null : { code: run.error.code, message: shorten(run.error.message, MOST_TEXT) },
        advice,
        warnings: run.warnings,
        waitsFor: run.waitsFor,
        ...settings.data,
        environment: environmentOf(run),
        metrics: metrics
          .slice(0, MOST_ROWS)
          .map(({ name, direction, summary, minimum, maximum, lastStep, pointCount }) => ({
            ...{ name, direction, value: summary, minimum, maximum, lastStep, pointCount },
          })),
        artifacts: run.artifacts.slice(0, MOST_ROWS).map(({ name, sizeBytes, url }) => ({ name, sizeBytes, url })),
      },
    };
  },
});

/** The main metrics first; those of the machine only when they are asked for. */
function chosenMetrics({ metrics }: RunDetail, part: string | undefined): RunDetail['metrics'] {
  if (part !== undefined) return metrics.filter(({ name }) => name.includes(part));
  const main = usualMetrics(metrics.map(({ name }) => name));
  const rank = ({ name }: { name: string }) => (main.includes(name) ? 0 : name.startsWith('system/') ? 2 : 1);
  return [...metrics].sort((a, b) => rank(a) - rank(b));
}

function facts(run: RunDetail): string {
  const { configuration: of } = run;
  const data = of.dataset === null ? [] : [`dataset ${inline(of.dataset)}`];
  const took =
    run.startedAt === null || run.endedAt === null
      ? []
      : [`took ${formatDuration(millisecondsBetween(run.startedAt, run.endedAt))}`];
  const sweep = run.sweep === null ? [] : [`sweep #${run.sweep.number}, trial ${run.sweepTrial ?? 'confirmed'}`];
  const environment = Object.entries(environmentOf(run)).map(([name, value]) => `${name} ${cellText(value)}`);
  const lines = [
    [`kind ${of.kind}`, ...(run.preset === null ? [] : [`preset ${run.preset}`]), ...data, `seed ${run.seed}`],
    [`project ${run.project.name}`, `created ${run.createdAt}`, ...took, `attempt ${run.attempt}`, ...sweep],
    [
      ...(run.user === null ? [] : [`by ${run.user}`]),
      ...(run.tags.length === 0 ? [] : [`tags ${run.tags.join(' ')}`]),
    ],
    environment,
    run.waitsFor === null ? [] : [`waits for ${run.waitsFor}`],
    run.warnings,
  ];
  return lines
    .filter((line) => line.length > 0)
    .map((line) => `- ${line.join('; ')}`)
    .join('\n');
}

function inline(dataset: unknown): string {
  const { name, ...rest } = asPlainObject(dataset);
  const details = Object.entries(rest).filter(([, member]) => member !== null && member !== 0);
  return [cellText(name), ...details.map(([key, member]) => `${key} ${cellText(member)}`)].join(', ');
}

function environmentOf({ environment }: RunDetail): Record<string, unknown> {
  const all = asPlainObject(environment);
  return Object.fromEntries(TOLD.flatMap((name) => (all[name] == null ? [] : [[name, all[name]]])));
}

/** Where it differs from its preset, where that can be told; else its parameters. */
function settingsOf(run: RunDetail, all: boolean): { text: string; data: Record<string, unknown> } {
  const differences = run.presetDifferences;
  if (differences !== null && !all) {
    const usual = run.preset === null ? 'the defaults' : `the preset ${run.preset}`;
    if (differences.length === 0) return { text: `Parameters: as in ${usual}.`, data: { differences } };
    const { shown, note } = firstOf(differences, MOST_ROWS, (left) => `${left} more: allParameters shows all.`);
    const rows = shown.map(({ path, value, usual: other }) => [path, cellText(value), cellText(other)]);
    return {
      text: paragraphs(`Differs from ${usual} in:`, markdownTable(['parameter', 'value', 'usual'], rows), note),
      data: { differences: shown },
    };
  }
  const parameters = flattenObject(asPlainObject(run.configuration.parameters));
  const { shown, note } = firstOf(
    parameters,
    all ? parameters.length : MOST_ROWS,
    (left) => `${left} more parameters: allParameters shows all.`,
  );
  if (parameters.length === 0) return { text: 'No parameters.', data: { parameters: {} } };
  const table = markdownTable(
    ['parameter', 'value'],
    shown.map(([path, value]) => [path, cellText(value)]),
  );
  return { text: paragraphs(table, note), data: { parameters: Object.fromEntries(shown) } };
}

function metricsText(metrics: RunDetail['metrics'], count: number, part: string | undefined): string {
  if (count === 0) return 'No metrics.';
  if (metrics.length === 0) return `None of its ${count} metrics has "${part}" in its name.`;
  const { shown, note } = firstOf(
    metrics,
    MOST_ROWS,
    (left) => `${left} more metrics: metrics chooses by a part of the name.`,
  );
  const rows = shown.map((one) => [
    one.name,
    significantDigits(one.summary),
    one.summaryRule ?? 'last',
    significantDigits(one.minimum),
    significantDigits(one.maximum),
    one.direction ?? NOTHING,
    String(one.lastStep),
    String(one.pointCount),
  ]);
  const heads = ['metric', 'value', 'by', 'least', 'greatest', 'better', 'last step', 'points'];
  return paragraphs(markdownTable(heads, rows), note);
}

function artifactsText({ artifacts }: RunDetail): string | null {
  if (artifacts.length === 0) return null;
  const { shown, note } = firstOf(artifacts, MOST_ROWS, (left) => ` and ${left} more`);
  return `Artifacts: ${shown.map(({ name, sizeBytes }) => `${name} (${formatBytes(sizeBytes)})`).join(', ')}${note}`;
}
