import { useCallback, useMemo, useState } from 'react';
import type { Range } from '#web/charts/plot/parallelTypes.ts';
import type { PlotPoints } from '#web/charts/plot/plotPoints.ts';
import type { TrialSet } from './trialSet.ts';

/** The axis of the objective beside those of the parameters, which have their paths. */
export const OBJECTIVE = 'objective';

export interface TrialFilter {
  ranges: Readonly<Record<string, Range>>;
  setRange(id: string, range: Range | null): void;
  clear(): void;
  /** The trials with whether each passes, as charts take them. */
  points: PlotPoints;
  /** How many pass. */
  passing: number;
}

/** What is chosen of the axes, and the trials that lie in all of it. A trial without a place on a chosen axis does not pass. */
export function useTrialFilter(trials: TrialSet): TrialFilter {
  const [ranges, setRanges] = useState<Readonly<Record<string, Range>>>({});
  const setRange = useCallback((id: string, range: Range | null) => {
    setRanges(({ [id]: _, ...others }) => (range === null ? others : { ...others, [id]: range }));
  }, []);
  const clear = useCallback(() => setRanges({}), []);
  const points = useMemo(() => {
    const passes = passesOf(trials, ranges);
    const { count, goodness, order } = trials;
    return { count, goodness, order, passes, filtered: Object.keys(ranges).length > 0 };
  }, [trials, ranges]);
  const passing = useMemo(() => points.passes.reduce((sum, passes) => sum + passes, 0), [points]);
  return { ranges, setRange, clear, points, passing };
}

function passesOf({ count, parameters, objective }: TrialSet, ranges: Readonly<Record<string, Range>>): Uint8Array {
  const passes = new Uint8Array(count).fill(1);
  for (const [id, [low, high]] of Object.entries(ranges)) {
    const places = id === OBJECTIVE ? objective.places : parameters.find(({ path }) => path === id)?.places;
    if (places === undefined) continue;
    for (let index = 0; index < count; index++) {
      const place = places[index]!;
      if (!(place >= low && place <= high)) passes[index] = 0;
    }
  }
  return passes;
}
