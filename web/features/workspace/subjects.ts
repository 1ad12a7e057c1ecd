import { groupLabels, type LabelledConfiguration } from '#src/base/lib/groupLabels.ts';
import { type SeriesStyle, seriesStyle, SERIES_STYLES } from '#web/charts/seriesStyle.ts';
import type { RunState } from '#src/base/contracts/runState.ts';
import { isLive } from '#web/lib/runStates.ts';
import { textNumber } from '#web/lib/textNumber.ts';
import { runLabels } from '../shared/runLabels.ts';

/** A run as panels need it. */
export interface SubjectRun {
  id: string;
  number: number;
  name: string;
  seed: number;
  state: RunState;
  /** Who made it; left out where that is not read. */
  user?: string | null;
  configuration: LabelledConfiguration & { hash: string };
}

/** What has one curve in each panel: a run, replicates, or a group of the table. */
export interface Subject {
  id: string;
  label: string;
  style: SeriesStyle;
  runs: readonly SubjectRun[];
  /** Runs that it has, of which `runs` are the first. */
  total: number;
}

/** What the subjects of a table are, in words. */
export type SubjectUnit = 'runs' | 'groups' | 'configurations';

/** Runs of the table one by one. Colors go by the run's number, so that they stay when others come, go or change places. */
export function subjectsOfRuns(runs: readonly SubjectRun[]): Subject[] {
  const labels = runLabels(runs);
  const slots = stableSlots(runs.map(({ id, number }) => ({ id, wanted: number - 1, rank: number })));
  return runs.map((run, index) => ({
    ...{ id: run.id, label: labels[index]!, style: seriesStyle(slots.get(run.id)!) },
    ...{ runs: [run], total: 1 },
  }));
}

/** Runs of the table by configuration: those that differ in the seed alone are one. */
export function subjectsOfReplicates(runs: readonly SubjectRun[]): Subject[] {
  const byHash = new Map<string, SubjectRun[]>();
  for (const run of runs) {
    const { hash } = run.configuration;
    byHash.set(hash, [...(byHash.get(hash) ?? []), run]);
  }
  const groups = [...byHash].map(([id, members]) => ({
    ...{ id, runs: members, total: members.length, values: [], configuration: members[0]!.configuration },
  }));
  return styled(
    groups,
    groupLabels(groups, ['configuration']).map(({ text }) => text),
  );
}

/** Groups of the table. */
export function subjectsOfGroups(
  groups: readonly { id: string; runs: readonly SubjectRun[]; total: number }[],
  labels: readonly string[],
): Subject[] {
  return styled(groups, labels);
}

function styled(
  groups: readonly { id: string; runs: readonly SubjectRun[]; total: number }[],
  labels: readonly string[],
): Subject[] {
  const slots = stableSlots(groups.map(({ id }) => ({ id, wanted: textNumber(id), rank: id })));
  return groups.map(({ id, runs, total }, index) => ({
    ...{ id, runs, total, label: labels[index] ?? id, style: seriesStyle(slots.get(id)!) },
  }));
}

interface Wish {
  id: string;
  /** Any whole number, the same each time. */
  wanted: number;
  /** Who chooses first: independent of the order in the table. */
  rank: number | string;
}

/**
 * A style for each, the same wherever and in whatever order it is shown, as far as no two have the same: each takes the one
 * that it wishes, or the next that is free, full lines before dashed ones.
 */
export function stableSlots(wishes: readonly Wish[]): Map<string, number> {
  const taken = new Set<number>();
  const slots = new Map<string, number>();
  for (const { id, wanted } of wishes.toSorted((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))) {
    if (taken.size >= SERIES_STYLES.all) taken.clear();
    const first = wanted % SERIES_STYLES.colors;
    let slot = first;
    for (let round = 0; taken.has(slot); round++) {
      slot = ((first + round) % SERIES_STYLES.colors) + Math.floor(round / SERIES_STYLES.colors) * SERIES_STYLES.colors;
    }
    taken.add(slot);
    slots.set(id, slot);
  }
  return slots;
}

export function hasLive(subject: Subject): boolean {
  return subject.runs.some(({ state }) => isLive(state));
}
