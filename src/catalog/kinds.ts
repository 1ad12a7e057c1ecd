import { WarrenError } from '../base/contracts/errors.ts';
import { meantOrThere } from '../base/lib/nearNames.ts';
import type { KindDefinition, Preset } from './kind.ts';
import { KIND_FILES } from './generated/kinds.ts';
import { addedKinds, addedPresets } from './modules/addedContent.ts';

/**
 * Kinds that looped over the arms of a study inside one run, and the first of the studies that took their place. Runs of them
 * that were recorded are shown as before; new ones cannot be queued.
 */
const STUDIES_INSTEAD: Readonly<Record<string, readonly [words: string, first: string]>> = {
  'sevo-study': ['the studies sevo/figure-4a to sevo/figure-8, sevo/table-4 and sevo/table-5', 'sevo/figure-4a'],
  'overrec-comparison': ['the study overrec/figure-5', 'overrec/figure-5'],
  'overrec-sensitivity': ['the study overrec/figure-6', 'overrec/figure-6'],
  'rntk-table': ['the studies rntk/table-1, rntk/table-1-kernels and rntk/table-2', 'rntk/table-1-kernels'],
};

/** What to do in place of a kind that is no more; null for names that never were one. */
function retiredKind(name: string): string | null {
  const instead = new Map(Object.entries(STUDIES_INSTEAD)).get(name);
  if (instead === undefined) return null;
  const [words, first] = instead;
  return `kind "${name}" became ${words}: each arm is a run of its own. Try: warren reproduce ${first}`;
}

/** The file of a kind, in `src/catalog/kinds` and, where workers execute it, in `workers/experiments`. */
export type KindFile = keyof typeof KIND_FILES;

/** A kind whose type does not say its name is none: `BuiltInKind` does. */
type NameOf<Kind extends KindDefinition> = string extends Kind['kind'] ? never : Kind['kind'];
export type KindName = { [File in KindFile]: NameOf<(typeof KIND_FILES)[File]> }[KindFile];

/** Those that read data first, each sort of data by itself. */
const DATA_ORDER: readonly KindDefinition['data'][] = ['sequences', 'series', 'series-or-none', 'text', 'none'];

/** Warren's own kinds, in the order in which they are shown; `allKinds` has those of modules, too. */
export const KINDS: readonly KindDefinition[] = Object.values<KindDefinition>(KIND_FILES).sort(
  (a, b) => DATA_ORDER.indexOf(a.data) - DATA_ORDER.indexOf(b.data) || a.kind.localeCompare(b.kind, 'en'),
);

/** Every kind that this process knows: Warren's own, then those that modules of WARREN_KINDS add, with all their presets. */
export function allKinds(): readonly KindDefinition[] {
  return [...KINDS, ...addedKinds().map(({ definition }) => definition)].map(withAddedPresets);
}

/** The kind of that name; undefined where this process knows none. */
export function findKind(name: string): KindDefinition | undefined {
  const found = [...KINDS, ...addedKinds().map(({ definition }) => definition)].find(({ kind }) => kind === name);
  return found && withAddedPresets(found);
}

function withAddedPresets(kind: KindDefinition): KindDefinition {
  const added = addedPresets(kind.kind);
  return added.length === 0 ? kind : { ...kind, presets: [...kind.presets, ...added] };
}

/** Whether a module of WARREN_KINDS has added the kind: not every worker knows it then. */
export function isAddedKind(name: string): boolean {
  return addedKinds().some(({ definition }) => definition.kind === name);
}

/** The kind of that name. Throws NOT_FOUND, with what took its place, the names that are near or all that there are. */
export function kindByName(name: string): KindDefinition {
  const found = findKind(name);
  if (found !== undefined) return found;
  const successor = retiredKind(name);
  if (successor !== null) throw new WarrenError('NOT_FOUND', successor, { path: 'kind' });
  const names = allKinds().map((kind) => kind.kind);
  const hint = meantOrThere(name, names);
  throw new WarrenError('NOT_FOUND', `there is no kind "${name}".${hint}`, { path: 'kind' });
}

/** The preset of that name, of this kind. Throws NOT_FOUND, with the presets that the kind has. */
export function presetByName(kind: KindDefinition, name: string): Preset {
  const found = kind.presets.find((preset) => preset.name === name);
  if (found !== undefined) return found;
  const owner = allKinds().find((other) => other.presets.some((preset) => preset.name === name));
  const names = kind.presets.map((preset) => preset.name);
  let hint = names.length > 0 ? meantOrThere(name, names) : ' It has none.';
  if (owner !== undefined) hint = ` It is a preset of ${owner.kind}.`;
  throw new WarrenError('NOT_FOUND', `kind ${kind.kind} has no preset "${name}".${hint}`, { path: 'preset' });
}

/** False for kinds that have ways of their own: `command`, and `external`, which is recorded and never queued. */
export function isEnqueueable(kind: KindDefinition): boolean {
  const { external, command } = KIND_FILES;
  return kind.kind !== external.kind && kind.kind !== command.kind;
}
