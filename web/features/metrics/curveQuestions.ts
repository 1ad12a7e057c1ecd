/** Points of one question at most: the API cuts longer answers into fewer pieces. */
const MOST_POINTS = 80_000;

export interface CurveQuestion {
  runIds: string[];
  names: string[];
}

/** Questions for metrics and the runs whose series they lack: those that lack the same go together, as far as an answer may be large. */
export function curveQuestions(
  lacking: readonly { name: string; runIds: string[] }[],
  maxPoints: number,
): CurveQuestion[] {
  const together = new Map<string, CurveQuestion>();
  for (const { name, runIds } of lacking) {
    if (runIds.length === 0) continue;
    const same = together.get(runIds.join()) ?? { runIds, names: [] };
    same.names.push(name);
    together.set(runIds.join(), same);
  }
  return [...together.values()].flatMap(({ runIds, names }) => {
    const atOnce = Math.max(1, Math.floor(MOST_POINTS / (runIds.length * maxPoints)));
    const parts: CurveQuestion[] = [];
    for (let from = 0; from < names.length; from += atOnce)
      parts.push({ runIds, names: names.slice(from, from + atOnce) });
    return parts;
  });
}
