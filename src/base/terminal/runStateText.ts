import type { RunState } from '#src/base/contracts/runState.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import type { Colours } from './colours.ts';

/** A state as people read it, coloured; the word alone says all, for those who see no colours. */
export function runStateText(state: RunState, colours: Colours): string {
  const word = state.toLowerCase();
  switch (state) {
    case 'SUCCEEDED':
      return colours.green(word);
    case 'FAILED':
    case 'CRASHED':
      return colours.red(word);
    case 'CANCELLED':
    case 'PRUNED':
      return colours.yellow(word);
    case 'RUNNING':
      return colours.cyan(word);
    case 'QUEUED':
    case 'WAITING':
      return colours.dim(word);
    default:
      return assertNever(state);
  }
}
