import type { Command } from 'commander';
import { ListProjectNamesDocument, ListViewsDocument } from '#src/generated/api.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { candidates } from './candidates.ts';

/** Nobody waits longer than this for a word. */
const PATIENCE_MS = 1_500;

/** The body of `warren complete`: a candidate a line, with a tab before what is said of it. Says nothing of what fails. */
export async function completeCommand(
  context: CommandContext,
  program: Command,
  words: readonly string[],
): Promise<void> {
  const found = await candidates(program, words, {
    projects: () =>
      inTime(async () => {
        const { projects } = await (await context.api()).request(ListProjectNamesDocument, {});
        return projects.edges.map(({ node }) => node.name);
      }),
    views: (project) =>
      inTime(async () => {
        const { views } = await (await context.api()).request(ListViewsDocument, { project });
        return views.map(({ name }) => name);
      }),
  });
  if (found.length === 0) return;
  context.terminal.print(found.map(({ word, about }) => `${word}\t${about.split('\n')[0] ?? ''}`).join('\n'));
}

async function inTime(ask: () => Promise<string[]>): Promise<string[]> {
  const late = new Promise<string[]>((resolve) => setTimeout(() => resolve([]), PATIENCE_MS).unref());
  return await Promise.race([ask().catch(() => []), late]);
}
