import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const argsSchema = z.object({
  a: z.string().describe('The one that may be better: numbers of runs, a filter, a preset or a name'),
  b: z.string().describe('What it is compared with'),
  metric: z.string().optional().describe('By which metric; the primary one of the kind when left out'),
});

/** A question that people ask again and again, with the way to an answer that holds. */
export function registerIsBetterPrompt(server: McpServer): void {
  const config = {
    title: 'Is A better than B?',
    description: 'Test whether one configuration is better than another, by all their seeds, and say what can be said',
    argsSchema,
  };
  server.registerPrompt('is_better', config, ({ a, b, metric }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: question(a, b, metric) } }],
  }));
}

function question(a: string, b: string, metric: string | undefined): string {
  const by = metric === undefined ? 'the primary metric of their kind' : metric;
  return `Is ${a} better than ${b} by ${by}? Use Warren's tools:
1. find_runs: all runs of each that succeeded, every seed. Take no seed out, and choose none by its result.
2. compare_runs with all of them, perUser true where they rank items for users, a run of ${b} as baseline${metric === undefined ? '' : `, metrics ["${metric}"]`}.
3. Where the answer says "not comparable, because …", say so and stop: a difference of means tells nothing then.
4. Answer in a sentence with both means ± standard deviation and n, the difference with its 95 % interval, p after Holm, and the verdict.
5. Where the verdict is undecided, that is no proof that they are equal: say how many seeds there are, and, where group_runs with that baseline tells it, how many more are needed. "These two trained models differ" is said of these runs, not of ${a} and ${b}: with fewer than three seeds of each say so, and that the question is open.`;
}
