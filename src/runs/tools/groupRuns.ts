import { z } from 'zod';
import { unlikeDataText } from '#src/base/lib/differingData.ts';
import { writeGroupedTable } from '#src/base/lib/groupedTable.ts';
import { groupRules, ruledName } from '#src/base/lib/valueRules.ts';
import { shownGroups } from '#src/base/lib/shownGroups.ts';
import { groupHints, readGroups } from '#src/runs/command/groupsOfRuns.ts';
import { filterInput, projectInput, runInput, valueInput } from '#src/base/tools/inputs.ts';
import { firstOf, paragraphs } from '#src/base/tools/markdown.ts';
import { defineTool } from '#src/base/tools/tool.ts';
import { openTests } from './openTests.ts';

const MOST_OPEN = 20;

export const groupRuns = defineTool({
  name: 'group_runs',
  title: 'Groups of runs',
  description:
    'All runs that match, in groups that share some fields, with mean ± standard deviation over their seeds (n) of each metric, the best mean in bold. With a baseline each other group has a verdict with p (two-sided, after Holm) from a paired t-test over shared seeds, else Welch’s. Says where runs differ in their data, so that means do not compare.',
  effect: 'reads',
  input: z.strictObject({
    groupBy: z
      .array(z.string())
      .min(1)
      .max(6)
      .default(['configuration'])
      .describe(
        'configuration (all but the seed), kind, preset, dataset, tag, sweep, state, user, project, or paths of parameters such as optimizer.learningRate',
      ),
    filter: filterInput,
    project: projectInput,
    metrics: z
      .array(z.string())
      .min(1)
      .max(20)
      .optional()
      .describe('What the runs are usually looked at by, when left out'),
    value: valueInput,
    order: z
      .string()
      .optional()
      .describe('runs, group or one of the metrics; a minus first: greatest first. The best mean first when left out'),
    baseline: runInput.optional().describe('A run of the group that the others are tested against'),
    limit: z.number().int().min(1).max(200).default(20),
  }),
  async answer({ api }, { groupBy, metrics, order = '-number', ...rest }) {
    const question = { ...rest, order, groupBy: groupBy.join(','), metric: metrics?.join(',') };
    const found = await readGroups(api, question);
    const { answer, groups, unlikeData } = found;
    const hints = await groupHints(api, question, found);
    if (groups.length === 0) {
      return { text: paragraphs('No run matches.', hints.join('\n')), data: { groups: [], total: 0 } };
    }
    const table = shownGroups(
      groups,
      answer.fields,
      answer.metrics.map((metric) => ruledName(metric.name, groupRules(metric))),
    );
    const open = firstOf(openTests(groups, table.labels), MOST_OPEN, (left) => `- and ${left} more`);
    const unlike = unlikeDataText(unlikeData);
    const more = groups.length < answer.totalCount ? `, the first ${groups.length} shown: limit shows more` : '';
    return {
      text: paragraphs(
        writeGroupedTable(table, 'md').trimEnd(),
        `${answer.totalCount} groups of ${answer.runCount} runs${more}; mean ± standard deviation over the runs of a group.`,
        [...open.shown, open.note].filter((line) => line !== '').join('\n'),
        unlike === null
          ? null
          : `Not comparable, for the runs differ in their data: ${unlike}; the best is that of the same data.`,
        hints.join('\n'),
      ),
      data: {
        total: answer.totalCount,
        runCount: answer.runCount,
        fields: answer.fields,
        unlikeData,
        groups: groups.map(({ id, values, runCount, isBaseline, metrics: of }, index) => ({
          ...{ id, label: table.labels[index], values, runCount, isBaseline, metrics: of },
        })),
      },
    };
  },
});
