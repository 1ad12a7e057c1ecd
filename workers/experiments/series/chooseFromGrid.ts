export type TieRule = 'centre' | 'first';

/** (points) Place of each point's value along each hyperparameter, values ascending: what "near" means in a grid. */
function placesOf(points: readonly Readonly<Record<string, number>>[]): number[][] {
  const names = Object.keys(points[0] ?? {});
  const ascending = names.map((name) => [...new Set(points.map((point) => point[name]!))].sort((a, b) => a - b));
  return points.map((point) => names.map((name, n) => ascending[n]!.indexOf(point[name]!)));
}

/**
 * The candidate with the highest count. Of several, `first` takes the first; `centre` the one nearest to the mean place of
 * them all, in steps along each hyperparameter, so that a plateau is met in its middle and not at its edge (again the first
 * of equally near ones). Which one is chosen depends on nothing but the counts.
 * @param points (candidates) Hyperparameters.
 * @param counts (candidates)
 */
export function chooseFromGrid(
  points: readonly Readonly<Record<string, number>>[],
  counts: ArrayLike<number>,
  rule: TieRule,
): { place: number; ties: number } {
  let most = Number.NEGATIVE_INFINITY;
  let tied: number[] = [];
  for (let place = 0; place < counts.length; place++) {
    if (counts[place]! > most) {
      most = counts[place]!;
      tied = [];
    }
    if (counts[place] === most) tied.push(place);
  }
  if (rule === 'first' || tied.length === 1) return { place: tied[0]!, ties: tied.length };
  const places = placesOf(points);
  const centre = places[0]!.map((_, n) => tied.reduce((sum, place) => sum + places[place]![n]!, 0) / tied.length);
  const distance = (place: number): number =>
    centre.reduce((sum, middle, n) => sum + (places[place]![n]! - middle) ** 2, 0);
  return {
    place: tied.reduce((best, place) => (distance(place) < distance(best) - 1e-9 ? place : best)),
    ties: tied.length,
  };
}
