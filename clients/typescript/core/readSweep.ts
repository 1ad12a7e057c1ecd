import {
  type ReadSweepFragment,
  ReadSweepsDocument,
  type ReadSweepsQuery,
  ReadTrialsDocument,
  type ReadTrialsQuery,
} from '../generated/api.ts';
import { numberOrNull } from './history.ts';
import { pagesOf } from './pages.ts';
import type { ReadRun, ReadSweep, ReadTrial, RunsQuery } from '../declarations/reading.mjs';
import type { Transport } from './transport.ts';
import { plainParameters } from './values.ts';

/** Trials that one answer has at most. */
const PAGE = 100;

type Trials = NonNullable<ReadTrialsQuery['sweep']>['trials'];
type RunsOf = (transport: Transport, query: RunsQuery) => AsyncGenerator<ReadRun, void, undefined>;

/** The sweeps of a project, or of all, the newest first. */
export async function* sweepsOf(
  transport: Transport,
  project: string | null,
  runsOf: RunsOf,
): AsyncGenerator<ReadSweep, void, undefined> {
  for (let before: number | null = null; ; ) {
    const { sweeps }: ReadSweepsQuery = await transport.ask(ReadSweepsDocument, { project, before });
    for (const fields of sweeps) yield readSweep(transport, fields, runsOf);
    const last = sweeps.at(-1);
    if (last === undefined) return;
    before = last.number;
  }
}

/** A sweep as programs read it. */
export function readSweep(transport: Transport, fields: ReadSweepFragment, runsOf: RunsOf): ReadSweep {
  const { id, number, name, state, reason, project, best } = fields;
  return {
    ...{ id, number, name, state, reason, project: project.name },
    url: `${transport.url}/sweeps/${number}`,
    createdAt: new Date(fields.createdAt),
    endedAt: fields.endedAt === null ? null : new Date(fields.endedAt),
    config: plainParameters(Object(fields.definition)),
    best: best === null ? null : { ...best, point: Object(best.point), objective: numberOrNull(best.objective) },
    trials: () => pagesOf(() => trialsOf(transport, id)),
    runs: () => pagesOf(() => runsOf(transport, { filter: `sweep = ${number}` })),
  };
}

async function* trialsOf(transport: Transport, id: string): AsyncGenerator<ReadTrial, void, undefined> {
  for (let after: number | null = null; ; ) {
    const trials: Trials = (await transport.ask(ReadTrialsDocument, { id, after })).sweep?.trials ?? [];
    for (const { runs, point, objective, ...trial } of trials) {
      yield {
        ...trial,
        ...{ point: Object(point), objective: numberOrNull(objective) },
        runs: runs.map((run) => run.number),
      };
    }
    if (trials.length < PAGE) return;
    after = trials.at(-1)!.number;
  }
}
