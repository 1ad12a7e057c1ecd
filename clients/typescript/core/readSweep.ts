import {
  CancelReadSweepDocument,
  ConfirmReadSweepDocument,
  ExtendReadSweepDocument,
  PauseReadSweepDocument,
  ReadSweepDocument,
  type ReadSweepFragment,
  ReadSweepsDocument,
  type ReadSweepsQuery,
  ReadTrialsDocument,
  type ReadTrialsQuery,
  ResumeReadSweepDocument,
} from '../generated/api.ts';
import { askOnce } from './askOnce.ts';
import { numberOrNull } from './history.ts';
import { pagesOf } from './pages.ts';
import type { ReadRun, ReadSweep, ReadTrial, RunsQuery } from '../declarations/reading.mjs';
import type { Transport } from './transport.ts';
import { plainParameters } from './values.ts';

/** Trials that one answer has at most. */
const PAGE = 100;

type Trials = NonNullable<ReadTrialsQuery['sweep']>['trials'];

/** How runs are read. */
export interface RunReading {
  runsOf(transport: Transport, query: RunsQuery): AsyncGenerator<ReadRun, void, undefined>;
  /** @throws Error where there is none */
  runOf(transport: Transport, id: string): Promise<ReadRun>;
}

/** The sweeps of a project, or of all, the newest first. */
export async function* sweepsOf(
  transport: Transport,
  project: string | null,
  reading: RunReading,
): AsyncGenerator<ReadSweep, void, undefined> {
  for (let before: number | null = null; ; ) {
    const { sweeps }: ReadSweepsQuery = await transport.ask(ReadSweepsDocument, { project, before });
    for (const fields of sweeps) yield readSweep(transport, fields, reading);
    const last = sweeps.at(-1);
    if (last === undefined) return;
    before = last.number;
  }
}

/** The sweep with this id or number. @throws Error where there is none */
export async function sweepOf(transport: Transport, id: string, reading: RunReading): Promise<ReadSweep> {
  const { sweep } = await transport.ask(ReadSweepDocument, { id });
  if (sweep === null) throw new Error(`there is no sweep ${id} at ${transport.url}`);
  return readSweep(transport, sweep, reading);
}

function readSweep(transport: Transport, fields: ReadSweepFragment, reading: RunReading): ReadSweep {
  const { id, number, name, state, reason, project, best, counts } = fields;
  const changed = (sweep: ReadSweepFragment) => readSweep(transport, sweep, reading);
  return {
    ...{ id, number, name, state, reason, project: project.name },
    url: `${transport.url}/sweeps/${number}`,
    createdAt: new Date(fields.createdAt),
    endedAt: fields.endedAt === null ? null : new Date(fields.endedAt),
    config: plainParameters(Object(fields.definition)),
    best: best === null ? null : { ...best, point: Object(best.point), objective: numberOrNull(best.objective) },
    counts: { ...counts },
    untakenSeeds: [...fields.untakenConfirmations],
    trials: () => pagesOf(() => trialsOf(transport, id)),
    runs: () => pagesOf(() => reading.runsOf(transport, { filter: `sweep = ${number}` })),
    confirmations: () => Promise.all(fields.confirmations.map((run) => reading.runOf(transport, run.id))),
    pause: async () => changed((await transport.ask(PauseReadSweepDocument, { id })).pauseSweep),
    resume: async () => changed((await transport.ask(ResumeReadSweepDocument, { id })).resumeSweep),
    cancel: async () => changed((await transport.ask(CancelReadSweepDocument, { id })).cancelSweep),
    async extend(extension) {
      const asked = { input: { ...extension, id, key: crypto.randomUUID() } };
      return changed((await askOnce(transport, ExtendReadSweepDocument, asked)).extendSweep);
    },
    async confirm({ seeds, trial } = {}) {
      const asked = { id, seeds: seeds ?? 5, trial: trial ?? null, key: crypto.randomUUID() };
      const { confirmSweep: runs } = await askOnce(transport, ConfirmReadSweepDocument, asked);
      return runs.map((run) => run.number);
    },
    load: () => sweepOf(transport, id, reading),
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
