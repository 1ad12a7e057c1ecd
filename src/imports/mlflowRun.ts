import { typedParameters } from '#src/mlflow/typedParameters.ts';
import { DELETED_TAG } from './mlflowLeftOut.ts';
import { importId, type RunFacts } from './source.ts';

/** A run as every store of MLflow's knows it. */
export interface MlflowRunFacts {
  /** 32 hexadecimal digits. */
  runId: string;
  name: string;
  experiment: string;
  status: string;
  userName: string;
  startMs: number | null;
  endMs: number | null;
  parameters: Readonly<Record<string, string>>;
  tags: Readonly<Record<string, string>>;
  isDeleted?: boolean;
}

const STATES: Readonly<Record<string, NonNullable<RunFacts['state']>>> = {
  FINISHED: 'SUCCEEDED',
  FAILED: 'FAILED',
  KILLED: 'CANCELLED',
  RUNNING: 'RUNNING',
  SCHEDULED: 'RUNNING',
};

/** The run's own id: it is one in MLflow's clients, too. */
export function mlflowId(runId: string, project: string): string {
  const hex = runId.toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(hex)) return importId('mlflow', project, runId);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** What Warren keeps of it: parameters typed as by the protocol, tags where the protocol puts them. */
export function mlflowFacts(run: MlflowRunFacts): RunFacts {
  const { parameters, seed } = typedParameters(run.parameters);
  const { 'mlflow.note.content': notes, ...tags } = run.tags;
  const source = { format: 'mlflow', run: run.runId, experiment: run.experiment, user: run.userName };
  return {
    name: run.name,
    parameters,
    seed,
    environment: { tags, import: source },
    state: STATES[run.status] ?? 'RUNNING',
    ...(run.isDeleted === true ? { tags: [DELETED_TAG] } : {}),
    ...(run.userName === '' ? {} : { user: run.userName }),
    ...(notes === undefined ? {} : { notes }),
    ...(run.startMs === null ? {} : { startedMs: run.startMs }),
    ...(run.endMs === null ? {} : { endedMs: run.endMs }),
  };
}

/** MLflow's databases hold the largest double for what is infinite. */
export function mlflowValue(value: number, isNan: boolean): number {
  if (isNan) return Number.NaN;
  if (value === Number.MAX_VALUE) return Number.POSITIVE_INFINITY;
  return value === -Number.MAX_VALUE ? Number.NEGATIVE_INFINITY : value;
}
