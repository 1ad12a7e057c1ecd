import type { z } from 'zod';
import type { KindAddition } from '#src/catalog/modules/addition.ts';
import { addedKinds } from '#src/catalog/modules/addedContent.ts';
import { KIND_FILES } from '#src/catalog/generated/kinds.ts';
import { type KindFile, kindByName } from '#src/catalog/kinds.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import type { Experiment } from './experiment.ts';
import { EXPERIMENT_FILES } from './generated/experiments.ts';

/** Kinds that executors compute: all but programs of users. */
export type ExecutedFile = Exclude<KindFile, 'external' | 'command'>;

type ParametersOf<File extends ExecutedFile> = z.output<(typeof KIND_FILES)[File]['parameters']>;

/** The file of an experiment exports it under the file's own name. */
type ExperimentFile<File extends ExecutedFile> = { readonly [Name in File]: Experiment<ParametersOf<File>> };

/**
 * An experiment for each kind, in a file of the same name, which takes the parameters of the kind's schema: what has no other
 * half does not compile. It is loaded when it is wanted: tfjs takes its time to start.
 */
const EXPERIMENTS: { readonly [File in ExecutedFile]: () => Promise<ExperimentFile<File>> } = EXPERIMENT_FILES;

const FILE_BY_KIND = new Map<string, ExecutedFile>(
  Object.keys(EXPERIMENTS)
    .filter((file): file is ExecutedFile => file in EXPERIMENTS)
    .map((file) => [KIND_FILES[file].kind, file]),
);

/** The experiment of one kind, with parameters as they come from outside: they are checked before it starts. */
function checked<File extends ExecutedFile>(file: File): Experiment<unknown> {
  const load: () => Promise<ExperimentFile<File>> = EXPERIMENTS[file];
  return async (context) => {
    // the schema of the same file has made them
    const parameters = parseParameters(kindByName(KIND_FILES[file].kind), context.parameters) as ParametersOf<File>;
    const { [file]: experiment } = await load();
    await experiment({ ...context, parameters });
  };
}

/** The experiment of a kind that a module of WARREN_KINDS has added. */
function checkedAddition({ definition, run }: Pick<KindAddition, 'definition' | 'run'>): Experiment<unknown> {
  // `defineKind` of `warren/kinds` has held it against the kind's schema
  const experiment = run as Experiment<Record<string, unknown>>;
  return async (context) => {
    await experiment({ ...context, parameters: parseParameters(definition, context.parameters) });
  };
}

/**
 * The experiment of a kind, which checks its parameters before it starts. Throws NOT_FOUND for kinds that workers cannot
 * execute.
 */
export function experimentOf(kind: string): Experiment<unknown> {
  const file = FILE_BY_KIND.get(kind);
  if (file !== undefined) return checked(file);
  const added = addedKinds().find(({ definition }) => definition.kind === kind);
  if (added !== undefined) return checkedAddition(added);
  throw new WarrenError(
    'NOT_FOUND',
    `this worker has no experiment of kind "${kind}".${didYouMean(kind, [...FILE_BY_KIND.keys()])}`,
    {
      path: 'kind',
    },
  );
}
