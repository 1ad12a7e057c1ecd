import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { FindParametersDocument, FindRunDocument, type FindRunQuery, ResumeRunDocument } from '../generated/api.ts';
import { Refused, Unreachable } from './failures.ts';
import { dashed, uuidFromName } from './nameUuid.ts';
import type { Transport } from './transport.ts';

export type FoundRun = NonNullable<FindRunQuery['run']>;

/** What `init` may be told about a run that is there. */
export type Resume = 'allow' | 'must' | 'never';

/** Names of ids that are no UUID; the Python client's. */
const NAMESPACE = '6b1d5f5e-7a51-4c0c-9d1c-3f8a0a6f2a4e';

/** The id of a run whose program gave `id`: a UUID as it is, another name as one of its project. */
export async function uuidOf(project: string, given: string): Promise<string> {
  // in all the forms that Python's UUID takes
  const digits = given.replace(/urn:|uuid:|[{}-]/g, '').toLowerCase();
  if (/^[\da-f]{32}$/.test(digits)) return dashed(digits);
  return await uuidFromName(NAMESPACE, `${project}/${given}`);
}

/** The run as the server has it; null where there is none, or no server. @throws Error where it may not be seen */
export async function findRun(transport: Transport, id: string): Promise<FoundRun | null> {
  try {
    return (await transport.ask(FindRunDocument, { id })).run ?? null;
  } catch (error) {
    if (error instanceof Unreachable || (error instanceof Refused && error.code === 'NOT_FOUND')) return null;
    if (error instanceof Refused) throw new Error(`the server refuses to look for the run: ${error.message}`);
    throw error;
  }
}

/**
 * The parameters of a run; none without a server.
 * @param askedBy What messages name.
 * @throws Error where there is no run
 */
async function parametersOfRun(
  transport: Transport,
  id: string,
  askedBy: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const { run } = await transport.ask(FindParametersDocument, { id });
    if (run == null) throw new Error(`${askedBy}: there is no run ${id}`);
    const parameters = run.configuration?.parameters;
    return isPlainObject(parameters) ? parameters : {};
  } catch (error) {
    if (error instanceof Unreachable) return {};
    throw error instanceof Refused ? new Error(`${askedBy}: ${error.message}`) : error;
  }
}

/** The parameters that a run begins with: of the run that it branches off from, of itself where it goes on, else none. */
export async function parametersBefore(
  transport: Transport,
  { fork, resumed }: { fork: ForkPlace | null; resumed: string | null },
): Promise<Readonly<Record<string, unknown>>> {
  if (fork !== null) return await parametersOfRun(transport, fork.runId, 'forkFrom');
  return resumed === null ? {} : await parametersOfRun(transport, resumed, 'resume');
}

/** Goes on with a run that has ended, as its next attempt. @throws Error where it may not go on */
export async function reopenRun(transport: Transport, id: string): Promise<void> {
  try {
    await transport.ask(ResumeRunDocument, { id });
  } catch (error) {
    throw error instanceof Refused || error instanceof Unreachable ? new Error(`resume: ${error.message}`) : error;
  }
}

/** What is known of a run that a program may go on with. */
export interface KnownRun {
  /** As the program gave it. */
  id: string | undefined;
  /** Whether the server has it. */
  found: boolean;
  /** Whether a journal of it is here. */
  kept: boolean;
  /** Whether it was made for this program, or its processes share it. */
  isOwn: boolean;
}

/** @throws Error where a run is wanted that is not there, or the other way round */
export function checkResume(resume: Resume | undefined, { id, found, kept, isOwn }: KnownRun): void {
  if (resume === 'must' && !found && !kept) {
    // the number that the dashboard shows is not what a program gave as `id`
    const advice = /^\d+$/.test(id ?? '')
      ? ` with this id. Numbers of runs are no ids: api().run("${id}") tells the id of run number ${id}`
      : '';
    throw new Error(`resume: there is no run ${id ?? 'without an id'}${advice}`);
  }
  if (found && !isOwn && (resume === undefined || resume === 'never')) {
    throw new Error(`id: run ${id} is there already; resume: 'allow' goes on with it`);
  }
}

/** Where a run branches off from another one: the last step that it takes from there. */
export interface ForkPlace {
  runId: string;
  step: number;
}

/**
 * Reads `forkFrom`, `RUN?_step=N`: the id, the name given as one in the project, or the number of a run.
 * @throws TypeError where it is of another form, or goes with `resume`
 */
export async function forkPlaceOf(
  { forkFrom, resume }: { forkFrom?: string | undefined; resume: Resume | undefined },
  project: string,
): Promise<ForkPlace | null> {
  if (forkFrom == null) return null;
  const [, parent, step] = /^(.+)\?_step=(\d+)$/.exec(String(forkFrom)) ?? [];
  if (parent === undefined) throw new TypeError(`forkFrom: '${forkFrom}' is not of the form 'RUN?_step=N'`);
  if (resume !== undefined) throw new TypeError('forkFrom: a fork is a new run, so it does not go with resume');
  return { runId: /^\d+$/.test(parent) ? parent : await uuidOf(project, parent), step: Number(step) };
}

/** @throws TypeError for anything else than a word that `init` knows */
export function checkedResume(resume: unknown): Resume | undefined {
  if (resume === undefined || resume === null || resume === false) return undefined;
  if (resume === true) return 'allow';
  if (resume === 'allow' || resume === 'must' || resume === 'never') return resume;
  throw new TypeError(`resume: '${String(resume)}' is not one of 'allow', 'must', 'never'`);
}

/** The step after the last one, as the server or else the journals here have it, or after the place where it branches off. */
export function nextStep(found: FoundRun | null, kept: number | null, fork: ForkPlace | null): number {
  if (fork !== null) return fork.step + 1;
  if (found === null) return (kept ?? -1) + 1;
  const steps = found.metrics.filter(({ name }) => !name.startsWith('system/')).map(({ lastStep }) => lastStep);
  const looks = found.mediaSeries.flatMap((series) => series.steps.at(-1) ?? []);
  return Math.max(-1, ...steps, ...looks) + 1;
}
