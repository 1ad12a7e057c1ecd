import { type CreateRunInput, FindRunDocument, type FindRunQuery, ResumeRunDocument } from '../generated/api.ts';
import type { Delivery } from './delivery.ts';
import { plainParameters } from './values.ts';
import { runName, runTags } from './naming.ts';
import { Refused, Unreachable } from './failures.ts';
import type { Transport } from './transport.ts';
import { warn } from './warn.ts';

export interface InitOptions {
  project?: string;
  name?: string;
  /** The run's parameters. */
  config?: Readonly<Record<string, unknown>>;
  tags?: readonly string[];
  notes?: string;
  /** What replicates differ in. */
  seed?: number;
  /** What was trained on. */
  dataset?: string;
  /** A UUID: the same one goes on with the same run. */
  id?: string;
  /** "must" asks for a run that is there, "never" for one that is not, "allow" takes either. */
  resume?: 'allow' | 'must' | 'never';
  /** Who makes the run; in Node WARREN_USER, or the user of this machine, unless given. */
  user?: string;
  server?: string;
  token?: string;
}

export type FoundRun = NonNullable<FindRunQuery['run']>;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What `createRun` is told. @throws TypeError for an id that is no UUID */
export function runInput(options: InitOptions, environment: Record<string, unknown>, heartbeats: boolean) {
  const {
    id = crypto.randomUUID(),
    project = 'default',
    name,
    config = {},
    tags = [],
    notes,
    seed = 0,
    dataset,
    user,
  } = options;
  const called = runName(name);
  if (!UUID.test(id)) throw new TypeError(`id: '${id}' is no UUID, such as crypto.randomUUID() makes`);
  return {
    id: id.toLowerCase(),
    project,
    parameters: plainParameters(config),
    tags: runTags(tags),
    seed,
    environment,
    heartbeats,
    ...(called === undefined ? {} : { name: called }),
    ...(user === undefined ? {} : { user }),
    ...(notes === undefined ? {} : { notes }),
    ...(dataset === undefined ? {} : { datasetName: dataset }),
  } satisfies CreateRunInput;
}

/** The run to go on with, opened again where it had ended; null where there is none. @throws Error where `resume` says otherwise */
export async function runToResume(
  transport: Transport,
  { id, resume = 'never' }: InitOptions,
): Promise<FoundRun | null> {
  if (id === undefined) return null;
  const found = await find(transport, id);
  if (found === null && resume === 'must') throw new Error(`resume: there is no run ${id}`);
  if (found !== null && resume === 'never')
    throw new Error(`id: run ${id} is there already; resume: 'allow' goes on with it`);
  if (found !== null && found.state !== 'RUNNING') await transport.ask(ResumeRunDocument, { id });
  return found;
}

/** The first step that a run has no metric at. */
export function stepAfter(found: FoundRun | null): number {
  const steps = (found?.metrics ?? [])
    .filter(({ name }) => !name.startsWith('system/'))
    .map(({ lastStep }) => lastStep);
  return Math.max(-1, ...steps) + 1;
}

/** Makes the run at once, so that mistakes show at the start; null where the server is away. @throws Error where it refuses */
export async function createAtOnce(delivery: Delivery, input: CreateRunInput, kept: string): Promise<number | null> {
  try {
    return (await delivery.create(input)).number;
  } catch (error) {
    if (error instanceof Refused) throw new Error(`the server refuses the run: ${error.message}`);
    if (!(error instanceof Unreachable)) throw error;
    warn(`${error.message}; what is logged is kept in ${kept} and sent later`);
    return null;
  }
}

async function find(transport: Transport, id: string): Promise<FoundRun | null> {
  try {
    return (await transport.ask(FindRunDocument, { id })).run ?? null;
  } catch (error) {
    if (error instanceof Unreachable || (error instanceof Refused && error.code === 'NOT_FOUND')) return null;
    throw error;
  }
}
