import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ReportPin } from '#src/base/contracts/report/pinnedBlock.ts';
import { blocksOf } from '#src/base/contracts/report/readReport.ts';
import { panelOrderOf, type ReportBlock, runOrderOf, selectionOf } from '#src/base/contracts/report/reportBlock.ts';
import { numbersFilter } from '#src/base/contracts/report/runNumbers.ts';
import { findRunsByNumber } from '#src/runs/store/runRecord.ts';
import {
  listPinnableRuns,
  listPinnedBlocks,
  listPinnedRuns,
  type NewReportPin,
  type PinnableRun,
} from '#src/reports/store/reportPin.ts';
import { listRuns, resolveSelection } from '#src/runs/listRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

type Context = Pick<ServiceContext, 'db'>;

/** Runs of one block that are kept: of groups all that match. */
const MOST_PINNED = 10_000;
/** Runs whose configurations a figure of replicates shows. */
const MOST_REPLICATES = 200;

/**
 * The runs that the blocks of a text show now, to be stored with the version that has it. A block that cannot be shown, or
 * that shows too many runs to be asked for by their numbers, has none.
 */
export async function pinsOf(
  context: Context,
  { projectId, project, text }: { projectId: string; project: string; text: string },
): Promise<NewReportPin[]> {
  const pins: NewReportPin[] = [];
  for (const { block, index } of blocksOf(text)) {
    if ('problem' in block) continue;
    const shown = await shownBy(context, block, project).catch((error: unknown) => {
      if (error instanceof WarrenError && error.code !== 'INTERNAL') return null;
      throw error;
    });
    if (shown === null) continue;
    // the report's own project always has a row: it says that the runs were kept, also where there were none
    const byProject = new Map<string, PinnableRun[]>([[projectId, []]]);
    for (const run of shown.runs) {
      const known = byProject.get(run.projectId);
      if (known === undefined) byProject.set(run.projectId, [run]);
      else known.push(run);
    }
    const left = shown.matched - shown.runs.length;
    const most = [...byProject].reduce((one, other) => (other[1].length > one[1].length ? other : one))[0];
    for (const [owner, runs] of byProject) {
      pins.push({ block: index, projectId: owner, runs, matched: runs.length + (owner === most ? left : 0) });
    }
  }
  return pins;
}

/** The runs that the blocks of a version showed when it was saved, as far as the caller sees their projects. */
export async function reportPins(
  context: Context,
  { reportId, version }: { reportId: string; version: number },
): Promise<ReportPin[]> {
  const blocks = await listPinnedBlocks(context.db, reportId, version);
  if (blocks.length === 0) return [];
  const pins = new Map(
    blocks.map(({ block, matched }) => [
      block,
      { block, matched, runs: [] as number[], missing: [] as number[], missingCount: 0 },
    ]),
  );
  for (const { block, number, isThere } of await listPinnedRuns(context.db, reportId, version)) {
    const pin = pins.get(block);
    if (pin === undefined) continue;
    if (!isThere) pin.missingCount += 1;
    if (number !== null) (isThere ? pin.runs : pin.missing).push(number);
  }
  return [...pins.values()];
}

interface Shown {
  runs: PinnableRun[];
  matched: number;
}

/** Null: too many. */
async function shownBy(context: Context, block: ReportBlock, project: string): Promise<Shown | null> {
  if (block.type === 'comparison') {
    const found = (await findRunsByNumber(context.db, block.runs)).filter(({ deletedAt }) => deletedAt === null);
    const byNumber = new Map(found.map((run) => [run.number, run]));
    const runs = block.runs.flatMap((number) => byNumber.get(number) ?? []);
    return { runs, matched: runs.length };
  }
  const selected = selectionOf(block.shown, project);
  const replicates = block.type === 'panel' && block.groupBy.length === 1 && block.groupBy[0] === 'configuration';
  if (block.groupBy.length > 0 && !replicates) {
    const runs = await listPinnableRuns(context.db, await resolveSelection(context, selected), MOST_PINNED + 1);
    if (runs.length > MOST_PINNED) return null;
    // refused where their numbers make too long a filter
    await resolveSelection(context, { filter: numbersFilter(runs.map(({ number }) => number)) });
    return { runs, matched: runs.length };
  }
  const first = replicates ? MOST_REPLICATES : block.first;
  const orderBy = block.type === 'table' ? runOrderOf(block) : panelOrderOf(block);
  const page = await listRuns(context, { ...selected, first, orderBy });
  const runs = page.edges.map(({ node }) => node);
  return { runs, matched: page.pageInfo.hasNextPage ? await page.totalCount() : runs.length };
}
