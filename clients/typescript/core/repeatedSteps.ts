import { warn } from './warn.ts';

/**
 * Tells once a run that a metric comes at a step that is not after its last one: a step keeps the first value. Where steps go on,
 * nothing is looked up; so one that was logged neither at the greatest step nor late before goes untold.
 * @param before The last steps that metrics have from a program before this one.
 */
export function repeatedSteps(
  before: ReadonlyMap<string, number> = new Map(),
): (numbers: Readonly<Record<string, unknown>>, step: number) => void {
  /** Newest steps of metrics that came late. */
  const late = new Map([...before].filter(([name]) => !name.startsWith('system/')));
  let greatest = Math.max(-1, ...late.values());
  let atGreatest: Readonly<Record<string, unknown>> = {};
  let isTold = false;

  const lastOf = (name: string): number => (Object.hasOwn(atGreatest, name) ? greatest : (late.get(name) ?? -1));

  return (numbers, step) => {
    if (step > greatest) {
      greatest = step;
      atGreatest = numbers;
      return;
    }
    if (isTold) return;
    const name = Object.keys(numbers).find((one) => step <= lastOf(one));
    if (name !== undefined) {
      const before = lastOf(name);
      const place = step === before ? `again at step ${step}` : `at step ${step} after step ${before}`;
      warn(`log: ${name} is logged ${place}: where a step has a value already, the first one is kept (told once)`);
      isTold = true;
      late.clear();
      return;
    }
    for (const one of Object.keys(numbers)) late.set(one, step);
  };
}
