import { isFinal } from '#src/base/contracts/runState.ts';
import type { StudyRun } from './armRuns.ts';
import type { AuditReport } from './studyReport.ts';

/** Relative distance from which on two values are not the same: beyond the rounding of sums in another order. */
export const SAME = 1e-6;
/** Metrics that measure the machine. */
const OF_THE_MACHINE = /^(system|time|timing)\/|(^|\/)(seconds|duration|latency|throughput)\b/;

/** Runs that were computed again, beside those that they repeat. */
export function auditReports(runs: readonly StudyRun[]): AuditReport[] {
  const byNumber = new Map(runs.map((run) => [run.number, run]));
  return runs.flatMap((again) => {
    const first = again.auditOf === null ? undefined : byNumber.get(again.auditOf);
    if (first === undefined) return [];
    const { arm, seed } = again;
    return [{ arm, seed, first: first.number, again: again.number, ...outcome(first, again) }];
  });
}

function outcome(first: StudyRun, again: StudyRun): { agrees: boolean | null; reason: string } {
  if (!isFinal(again.state)) return { agrees: null, reason: `run ${again.number} is ${again.state.toLowerCase()}` };
  if (again.state !== 'SUCCEEDED') {
    return { agrees: false, reason: `run ${again.number} ended as ${again.state.toLowerCase()}: ${again.error ?? ''}` };
  }
  let most = SAME;
  let reason = '';
  for (const [name, { last }] of first.metrics) {
    if (OF_THE_MACHINE.test(name)) continue;
    const other = again.metrics.get(name)?.last;
    if (other === undefined) return { agrees: false, reason: `run ${again.number} left no ${name}` };
    const distance = relativeDistance(last, other);
    if (distance <= most) continue;
    most = distance;
    reason = `${name}: ${last} in run ${first.number}, ${other} in run ${again.number}`;
  }
  if (reason !== '' && first.arithmetic === 'openblas' && first.machine !== again.machine) {
    const words = `OpenBLAS rounds differently on ${first.machine} and on ${again.machine}`;
    return { agrees: null, reason: `${words}; ${reason}` };
  }
  if (reason !== '' && first.arithmetic !== again.arithmetic) {
    const words = `run ${first.number} had ${first.arithmetic} sums of products, run ${again.number} ${again.arithmetic} ones`;
    return { agrees: null, reason: `${words}, which differ in their last bits; ${reason}` };
  }
  return { agrees: reason === '', reason };
}

function relativeDistance(a: number, b: number): number {
  if (Object.is(a, b) || a === b) return 0;
  const distance = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), 1e-12);
  return Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance;
}
