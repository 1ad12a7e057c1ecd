import { laidOver } from '#src/base/lib/laidOver.ts';
import { parametersOf } from './values.ts';
import { warn } from './warn.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** Parameters that stay, whatever a program says. */
export interface Drawn {
  parameters: Parameters;
  /** Why, for people. */
  why: string;
}

/** The parameters of a run. */
export interface Config {
  /** Adds parameters, or changes them; the configuration is final when the run ends. */
  update(parameters: Parameters): void;
  get(name: string): unknown;
  /** All of them by name. */
  all(): Record<string, unknown>;
}

/**
 * @param drawn What a sweep has drawn, or what was queued.
 * @param record Takes what is changed.
 */
export function configOf(given: Parameters, drawn: Drawn, record: (changes: Parameters) => void): Config {
  const members = new Map(Object.entries(given));
  return {
    update(asked) {
      const own = parametersOf(asked);
      const stays = Object.entries(drawn.parameters).filter(([name]) => Object.hasOwn(own, name));
      const changes = keepSet(own, { parameters: Object.fromEntries(stays), why: drawn.why });
      for (const [name, value] of Object.entries(changes)) members.set(name, value);
      if (Object.keys(changes).length > 0) record(changes);
    },
    get: (name) => members.get(name),
    all: () => Object.fromEntries(members),
  };
}

/** What a program gives, with what stays over it; says where the two differ. */
export function keepSet(given: Parameters, { parameters, why }: Drawn): Record<string, unknown> {
  const kept = laidOver(given, parameters);
  for (const [name, value] of Object.entries(given)) {
    const text = JSON.stringify(kept[name]);
    if (text !== JSON.stringify(value)) warn(`config: ${name} stays ${text}, ${why}`);
  }
  return kept;
}
