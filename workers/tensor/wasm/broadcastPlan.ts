/** How two operands meet in an output of three dimensions: steps in elements, 0 where an operand is repeated. */
export interface BroadcastPlan {
  extents: [outer: number, middle: number, inner: number];
  aSteps: [number, number, number];
  bSteps: [number, number, number];
}

interface Group {
  extent: number;
  aRepeats: boolean;
  bRepeats: boolean;
}

/**
 * The plan for operands of shapes `a` and `b`, broadcast as numpy does to `out`: neighbouring dimensions in which the same
 * operands are repeated count as one. Null where more than three remain.
 */
export function broadcastPlan(
  a: readonly number[],
  b: readonly number[],
  out: readonly number[],
): BroadcastPlan | null {
  const groups: Group[] = [];
  for (const [index, extent] of out.entries()) {
    if (extent === 1) continue;
    const aRepeats = (a[index + a.length - out.length] ?? 1) === 1;
    const bRepeats = (b[index + b.length - out.length] ?? 1) === 1;
    const last = groups.at(-1);
    if (last !== undefined && last.aRepeats === aRepeats && last.bRepeats === bRepeats) last.extent *= extent;
    else groups.push({ extent, aRepeats, bRepeats });
  }
  if (groups.length > 3) return null;
  while (groups.length < 3) groups.unshift({ extent: 1, aRepeats: true, bRepeats: true });
  const [outer, middle, inner] = groups as [Group, Group, Group];
  return {
    extents: [outer.extent, middle.extent, inner.extent],
    aSteps: steps(groups, (group) => group.aRepeats),
    bSteps: steps(groups, (group) => group.bRepeats),
  };
}

function steps(groups: readonly Group[], repeats: (group: Group) => boolean): [number, number, number] {
  const result: [number, number, number] = [0, 0, 0];
  let step = 1;
  for (let index = 2; index >= 0; index--) {
    const group = groups[index]!;
    if (repeats(group)) continue;
    result[index] = step;
    step *= group.extent;
  }
  return result;
}
