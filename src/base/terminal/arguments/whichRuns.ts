import type { Command } from 'commander';
import { badInput } from '#src/base/contracts/errors.ts';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import { meantOrThere } from '#src/base/lib/nearNames.ts';

/** Options that say which runs are meant. */
export interface WhichRuns {
  filter?: string | undefined;
  /** Run states, any of which a run may be in. */
  state?: string[];
  /** Tags, all of which a run has. */
  tag?: string[];
}

/** Adds `--filter`, and `--state` and `--tag`, which spare writing a filter. */
export function addWhichRuns(command: Command, filterText: string): Command {
  return command
    .option('--filter <text>', filterText)
    .option('--state <list>', 'only runs in one of these states, separated by commas; may be repeated', states)
    .option('--tag <tag>', 'only runs with this tag; may be repeated', (tag, before: string[] = []) => [
      ...before,
      tag,
    ]);
}

/** The filter that the options add up to; undefined where none is given. */
export function filterOf({ filter, state, tag = [] }: WhichRuns): string | undefined {
  const shortcuts = [
    ...(state === undefined ? [] : [`state in (${state.join(', ')})`]),
    ...tag.map((name) => `tag = ${JSON.stringify(name)}`),
  ];
  if (shortcuts.length === 0) return filter;
  return [...((filter ?? '').trim() === '' ? [] : [`(${filter})`]), ...shortcuts].join(' and ');
}

function states(list: string, before: string[] = []): string[] {
  const given = list.split(',').map((word) => {
    const state = word.trim().toUpperCase();
    const names: readonly string[] = RUN_STATES;
    if (!names.includes(state))
      throw badInput(`there is no state "${word.trim()}".${meantOrThere(state, names)}`, '--state');
    return state;
  });
  return [...new Set([...before, ...given])];
}
