import type { CreateRunInput } from '../generated/api.ts';
import type { Delivery } from './delivery.ts';
import { isSeed } from './values.ts';
import { Refused, Unreachable } from './failures.ts';
import { runName, runTags } from './naming.ts';
import type { ForkPlace, Resume } from './resuming.ts';
import { checkedSeed } from './values.ts';
import { warn } from './warn.ts';

export interface InitOptions {
  project?: string;
  name?: string;
  /** The run's parameters. */
  config?: Readonly<Record<string, unknown>>;
  tags?: string | readonly string[];
  /** Become tags. */
  group?: string;
  jobType?: string;
  notes?: string;
  /** What replicates differ in. */
  seed?: number;
  /** What was trained on. */
  dataset?: string;
  /** A UUID or a name of your own: the same one goes on with the same run. */
  id?: string;
  /** "must" asks for a run that is there, "never" for one that is not, "allow" takes either. */
  resume?: Resume;
  /**
   * "RUN?_step=N" begins with the points of another run, by id or number, up to step N, and with its parameters, over which `config` goes.
   */
  forkFrom?: string;
  /** Who makes the run; in Node WARREN_USER, or the user of this machine, unless given. */
  user?: string;
  server?: string;
  token?: string;
}

const KNOWN: ReadonlySet<string> = new Set([
  ...['project', 'name', 'config', 'tags', 'notes', 'seed', 'dataset', 'id', 'resume', 'user', 'server', 'token'],
  ...['group', 'jobType', 'forkFrom', 'mode', 'dir', 'console', 'saveCode'],
]);

/** Names what `init` was given and does not know. */
export function tellIgnored(options: object): void {
  const ignored = Object.keys(options).filter((name) => !KNOWN.has(name));
  if (ignored.length > 0) warn(`init: ignores ${ignored.sort().join(', ')}`);
}

/** A run that is about to begin. */
export interface Beginning {
  id: string;
  project: string;
  parameters: Record<string, unknown>;
  environment: Record<string, unknown>;
  heartbeats: boolean;
  fork: ForkPlace | null;
}

/** What `createRun` is told. @throws TypeError for a seed that is none */
export function runInput(
  { name, tags = [], group, jobType, notes, seed: given, dataset, user }: InitOptions,
  { fork, ...beginning }: Beginning,
) {
  const { seed, parameters } = seedApart(given, beginning.parameters);
  const called = runName(name);
  return {
    ...beginning,
    parameters,
    tags: runTags([
      ...(typeof tags === 'string' ? [tags] : tags),
      ...[group, jobType].filter((tag) => tag !== undefined),
    ]),
    seed: checkedSeed(seed),
    ...(fork === null ? {} : { forkFrom: fork }),
    ...(called === undefined ? {} : { name: called }),
    ...(user === undefined ? {} : { user }),
    ...(notes === undefined ? {} : { notes }),
    ...(dataset === undefined ? {} : { datasetName: dataset }),
  } satisfies CreateRunInput;
}

/** The seed of a run, and the parameters without it: a whole number `seed` among them is the seed, unless another is given. */
function seedApart(given: number | undefined, parameters: Record<string, unknown>) {
  const { seed: own, ...others } = parameters;
  return isSeed(own) && (given === undefined || given === own)
    ? { seed: own, parameters: others }
    : { seed: given ?? 0, parameters };
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
