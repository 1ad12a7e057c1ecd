import { cancelRuns, retryRuns } from '#src/runs/tools/endRuns.ts';
import { createSweep } from '#src/sweeps/tools/createSweep.ts';
import { noteRuns, tagRuns } from '#src/runs/tools/describeRuns.ts';
import { queueCommand } from '#src/programs/tools/queueCommand.ts';
import { queueRuns } from '#src/runs/tools/queueRuns.ts';
import { compareRuns } from '#src/comparisons/tools/compareRuns.ts';
import { findRuns } from '#src/runs/tools/findRuns.ts';
import { groupRuns } from '#src/runs/tools/groupRuns.ts';
import { runCurves } from '#src/runs/tools/runCurves.ts';
import { runLog } from '#src/logs/tools/runLog.ts';
import { showDatasets } from '#src/datasets/tools/showDatasets.ts';
import { showKinds } from '#src/kinds/tools/showKinds.ts';
import { showRun } from '#src/runs/tools/showRun.ts';
import { showStatus } from '#src/administration/tools/showStatus.ts';
import { showStudies } from '#src/studies/tools/showStudies.ts';
import { showSweeps } from '#src/sweeps/tools/showSweeps.ts';
import type { Tool } from '#src/base/tools/tool.ts';

/** Tools that change nothing. */
const READING: readonly Tool[] = [
  ...[findRuns, showRun, runCurves, runLog, groupRuns, compareRuns],
  ...[showSweeps, showStudies, showKinds, showDatasets, showStatus],
];

/** Tools with --allow-changes. */
const CHANGING: readonly Tool[] = [queueRuns, cancelRuns, retryRuns, tagRuns, noteRuns, createSweep];

/** Tools with --allow-commands, too. */
const EXECUTING: readonly Tool[] = [queueCommand];

export interface Allowed {
  changes: boolean;
  commands: boolean;
}

/** The tools that an agent gets. */
export function toolsFor({ changes, commands }: Allowed): readonly Tool[] {
  return [...READING, ...(changes ? CHANGING : []), ...(changes && commands ? EXECUTING : [])];
}
