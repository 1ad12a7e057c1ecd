import { WarrenError } from '#src/base/contracts/errors.ts';
import { blocksOf, citationsOf } from '#src/base/contracts/report/readReport.ts';
import { selectionOf } from '#src/base/contracts/report/reportBlock.ts';
import { listSelectedIds } from '#src/runs/store/runPage.ts';
import { resolveSelection } from '#src/runs/listRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

const NUMBERS_AT_ONCE = 1_000;

/**
 * The runs that blocks and citations of a report show, of its own project alone: whoever may change the report could name any
 * others.
 */
export async function reportRunIds(
  context: Pick<ServiceContext, 'db'>,
  { projectId, project, text }: { projectId: string; project: string; text: string },
  most: number,
): Promise<string[]> {
  const numbers = new Set<number>();
  const filters = new Set<string>();
  for (const { block } of blocksOf(text)) {
    if ('problem' in block) continue;
    if (block.type === 'comparison') for (const number of block.runs) numbers.add(number);
    else if (block.shown.runs !== null || (block.shown.project ?? project) === project) {
      filters.add(selectionOf(block.shown, project).filter);
    }
  }
  for (const citation of citationsOf(text)) {
    if (citation.type === 'run') numbers.add(citation.number);
    if (citation.type === 'comparison' || citation.type === 'runs')
      for (const number of citation.numbers) numbers.add(number);
  }
  const cited = [...numbers];
  for (let from = 0; from < cited.length; from += NUMBERS_AT_ONCE) {
    filters.add(`number in (${cited.slice(from, from + NUMBERS_AT_ONCE).join(', ')})`);
  }
  const ids = new Set<string>();
  for (const filter of filters) {
    const selection = await resolveSelection(context, { filter }).catch((error: unknown) => {
      // a block whose filter cannot be read shows nothing
      if (error instanceof WarrenError && error.code === 'BAD_INPUT') return null;
      throw error;
    });
    if (selection === null) continue;
    for (const id of await listSelectedIds(context.db, { ...selection, projectId }, most)) ids.add(id);
    if (ids.size >= most) break;
  }
  return [...ids].slice(0, most);
}
