import { laidOver } from '#src/lib/laidOver.ts';
import { parametersOf } from './values.ts';
import { warn } from './warn.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** The parameters of a run. */
export interface Config {
  /** Adds parameters, or changes them; the configuration is final when the run ends. */
  update(parameters: Parameters): void;
  get(name: string): unknown;
  /** All of them by name. */
  all(): Record<string, unknown>;
}

/**
 * @param drawn What a sweep has drawn, which stays.
 * @param record Takes what is changed.
 */
export function configOf(given: Parameters, drawn: Parameters, record: (changes: Parameters) => void): Config {
  const members = new Map(Object.entries(given));
  return {
    update(asked) {
      const changes = parametersOf(asked);
      for (const [name, value] of Object.entries(changes)) {
        if (Object.hasOwn(drawn, name)) changes[name] = kept(name, value, drawn[name]);
        members.set(name, changes[name]);
      }
      if (Object.keys(changes).length > 0) record(changes);
    },
    get: (name) => members.get(name),
    all: () => Object.fromEntries(members),
  };
}

/** What a program sets under a name, with what its sweep has drawn there. */
function kept(name: string, value: unknown, drawn: unknown): unknown {
  const stays = laidOver({ [name]: value }, { [name]: drawn })[name];
  const text = JSON.stringify(stays);
  if (text !== JSON.stringify(value)) warn(`config: ${name} stays ${text}, which the sweep has drawn`);
  return stays;
}
