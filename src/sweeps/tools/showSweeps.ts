import { z } from 'zod';
import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { SweepsDocument, type SweepFragment, type TrialFragment } from '#src/generated/api.ts';
import {
  definitionOf,
  fetchConfirmations,
  fetchImportance,
  fetchSweep,
  fetchTrials,
} from '#src/sweeps/command/fetchSweeps.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { bestFirst, confirmationLines, importanceLines, sweepLine } from '#src/sweeps/command/showSweep.ts';
import { sweepReference } from '#src/sweeps/command/sweepReference.ts';
import { createColours } from '#src/base/terminal/colours.ts';
import { sweepAddress } from '#src/base/tools/dashboard.ts';
import { projectInput } from '#src/base/tools/inputs.ts';
import { markdownTable, NOTHING, paragraphs, significantDigits, cellText } from '#src/base/tools/markdown.ts';
import { defineTool, type ToolAnswer } from '#src/base/tools/tool.ts';

const PLAIN = { colours: createColours(false) };

export const showSweeps = defineTool({
  name: 'sweeps',
  title: 'Sweeps',
  description:
    'Searches for good parameters. Without `sweep` a list, the newest first; with one its best trials (drawn parameters, objective, runs), which parameters matter (fANOVA, shares of the variance), and what fresh seeds said of the best.',
  effect: 'reads',
  input: z.strictObject({
    sweep: z.union([z.number().int(), z.string()]).optional().describe('Number or id of one sweep'),
    project: projectInput,
    limit: z.number().int().min(1).max(100).default(10).describe('Sweeps, or trials, at most'),
  }),
  async answer({ api }, { sweep, project, limit }) {
    if (sweep !== undefined) return await oneSweep(api, await fetchSweep(api, sweepReference(String(sweep))), limit);
    const { sweeps } = await api.request(SweepsDocument, { project: project ?? null, first: limit });
    if (sweeps.length === 0) return { text: 'There are no sweeps yet.', data: { sweeps: [] } };
    return {
      text: paragraphs(
        sweeps.map((one) => `- ${sweepLine(one, PLAIN)}`).join('\n'),
        sweeps.length === limit ? 'There may be more: limit shows them.' : null,
      ),
      data: { sweeps: sweeps.map((one) => sweepData(api, one)) },
    };
  },
});

/** What is told of a sweep as data, also where one is created. */
export function sweepData(api: ApiClient, sweep: SweepFragment): Record<string, unknown> {
  const { method, kind, dataset, metric, seeds } = definitionOf(sweep);
  const { number, id, name, state, reason, counts, project, createdAt, best } = sweep;
  const address = sweepAddress(api, number);
  return {
    ...{ number, id, address, name, state, reason, project: project.name, createdAt },
    ...{ method, kind, dataset, metric, seeds, counts, best: best === null ? null : trialData(best) },
  };
}

async function oneSweep(api: ApiClient, sweep: SweepFragment, limit: number): Promise<ToolAnswer> {
  const trials = await fetchTrials(api, sweep.id);
  const importance = await fetchImportance(api, sweep.id);
  const confirmations = await fetchConfirmations(api, sweep);
  const { method, kind, metric, seeds } = definitionOf(sweep);
  const shown = bestFirst(trials, metric?.goal).slice(0, limit);
  const aim = metric === null ? '' : `, ${metric.goal} ${metric.name}`;
  return {
    text: paragraphs(
      `${sweepLine(sweep, PLAIN)}${sweep.reason === '' ? '' : `: ${sweep.reason}`}, ${sweepAddress(api, sweep.number)}`,
      `${method} over ${kind}${aim}, seeds ${seeds.join(', ')}, project ${sweep.project.name}`,
      trialsText(shown),
      shown.length < trials.length ? `The best ${shown.length} of ${trials.length} trials: limit shows more.` : null,
      ...confirmationLines(sweep, confirmations),
      ...importanceLines(importance),
    ),
    data: { ...sweepData(api, sweep), trials: shown.map(trialData), importance },
  };
}

function trialData({ number, point, state, objective, error, runs }: TrialFragment): Record<string, unknown> {
  return { number, point, state, objective, error, runs: runs.map((run) => run.number) };
}

function trialsText(trials: readonly TrialFragment[]): string | null {
  if (trials.length === 0) return null;
  const paths = [...new Set(trials.flatMap(({ point }) => Object.keys(asPlainObject(point))))].sort();
  const rows = trials.map(({ number, state, objective, point, error, runs }) => [
    String(number),
    state.toLowerCase(),
    significantDigits(objective),
    ...paths.map((path) => drawnText(asPlainObject(point)[path])),
    runs.map((run) => `#${run.number}`).join(' ') || (error?.split('\n')[0] ?? NOTHING),
  ]);
  return markdownTable(['trial', 'state', 'objective', ...paths, 'runs'], rows);
}

function drawnText(value: unknown): string {
  return typeof value === 'number' ? significantDigits(value) : cellText(value);
}
