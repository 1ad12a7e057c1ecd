/** Extents and steps (in elements) of an output that is read with steps. */
export interface StridedPlan {
  extents: number[];
  steps: number[];
}

/** Steps of a tensor without gaps. */
export function denseSteps(shape: readonly number[]): number[] {
  const steps = new Array<number>(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    steps[axis] = step;
    step *= shape[axis]!;
  }
  return steps;
}

/** The same reading with as few dimensions as can be. */
export function collapsed({ extents, steps }: StridedPlan): StridedPlan {
  const plan: StridedPlan = { extents: [], steps: [] };
  for (const [axis, extent] of extents.entries()) {
    if (extent === 1) continue;
    const step = steps[axis]!;
    const last = plan.extents.length - 1;
    if (last >= 0 && plan.steps[last] === step * extent) {
      plan.extents[last]! *= extent;
      plan.steps[last] = step;
    } else {
      plan.extents.push(extent);
      plan.steps.push(step);
    }
  }
  return plan;
}

/** With 1s in front, up to `rank` dimensions; null when there are more. */
export function padded({ extents, steps }: StridedPlan, rank: number): StridedPlan | null {
  const missing = rank - extents.length;
  if (missing < 0) return null;
  return { extents: [...Array(missing).fill(1), ...extents], steps: [...Array(missing).fill(0), ...steps] };
}
