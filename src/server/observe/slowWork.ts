import type { SlowWork } from '#src/base/graphql/context.ts';

const KEPT = 50;

/** The last slow operations and statements of this process, the newest first. */
export interface SlowWorkLog {
  note(sort: SlowWork['sort'], what: string, milliseconds: number): void;
  list(): SlowWork[];
}

export function createSlowWorkLog(): SlowWorkLog {
  const entries: SlowWork[] = [];
  return {
    note(sort, what, milliseconds) {
      entries.unshift({ sort, what, milliseconds: Math.round(milliseconds), time: new Date() });
      entries.length = Math.min(entries.length, KEPT);
    },
    list: () => [...entries],
  };
}
