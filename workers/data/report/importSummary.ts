import type { ImportSummary } from '#src/base/contracts/importSummary.ts';
import type { Interactions, PARTS } from '../prepare/interactions.ts';
import type { Understanding } from '../read/understanding.ts';

/** A file as it was read. */
export interface ReadFile {
  file: string;
  part: (typeof PARTS)[number];
  /** Of an archive; null where the file is none. */
  member: string | null;
  interactions: Interactions;
}

/** Seconds since 1970 as a date, or the number where it only tells an order. */
function timeWords(time: number, perSecond: number | null): string {
  if (perSecond === null) return String(time);
  const date = new Date((time / perSecond) * 1000);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().replace('.000Z', 'Z');
}

function extremes(values: Float64Array): [number, number] {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return [least, greatest];
}

function fileSummary(
  { file, part, member, interactions }: ReadFile,
  understanding: Understanding,
): ImportSummary['files'][number] {
  const { users, items, times, ratings, userIds, itemIds, skipped } = interactions;
  const { form, columns, firstLine, leftOut, notes, perSecond } = understanding;
  const ofClock = times !== null && interactions.clock === true;
  const [from, to] = ofClock ? extremes(times) : [0, 0];
  return {
    file,
    part,
    users: new Set(users).size,
    member,
    form,
    columns,
    first: {
      line: firstLine,
      user: userIds[users[0]!]!,
      item: itemIds[items[0]!]!,
      time: ofClock ? timeWords(times[0]!, perSecond) : null,
      rating:
        ratings === null || ratings === undefined || Number.isNaN(ratings[0]!)
          ? null
          : Number(ratings[0]!.toPrecision(7)),
    },
    times: understanding.times,
    span: ofClock ? { from: timeWords(from, perSecond), to: timeWords(to, perSecond) } : null,
    kept: users.length,
    leftOut,
    skipped: { count: skipped?.count ?? 0, first: skipped?.first ?? [] },
    notes: [...notes],
  };
}

/** Numbers of ids over several files. */
function merged(files: readonly ReadFile[], what: 'user' | 'item'): { numbers: Uint32Array[]; ids: string[] } {
  const known = new Map<string, number>();
  const ids: string[] = [];
  const numbers = files.map(({ interactions }) => {
    const own = what === 'user' ? interactions.userIds : interactions.itemIds;
    const to = own.map((id) => {
      const before = known.get(id);
      if (before !== undefined) return before;
      known.set(id, ids.length);
      return ids.push(id) - 1;
    });
    return (what === 'user' ? interactions.users : interactions.items).map((number) => to[number]!);
  });
  return { numbers, ids };
}

/** How often a user meets an item again. `counts`: (users) interactions of each. */
function doublesIn(
  files: readonly { users: Uint32Array; items: Uint32Array }[],
  counts: Uint32Array,
  itemCount: number,
): number {
  const next = new Uint32Array(counts.length);
  for (let user = 1; user < counts.length; user++) next[user] = next[user - 1]! + counts[user - 1]!;
  const byUser = new Uint32Array(counts.reduce((sum, count) => sum + count, 0));
  for (const { users, items } of files) {
    for (let row = 0; row < users.length; row++) byUser[next[users[row]!]!++] = items[row]!;
  }
  // after the loop each user's place is where the next one begins
  const metBy = new Uint32Array(itemCount);
  let [doubles, at] = [0, 0];
  for (let user = 0; user < counts.length; user++) {
    for (; at < next[user]!; at++) {
      const item = byUser[at]!;
      if (metBy[item] === user + 1) doubles++;
      metBy[item] = user + 1;
    }
  }
  return doubles;
}

/** What an import understood, over all of its files. */
export function importSummary(files: readonly ReadFile[]): Omit<ImportSummary, 'ordered'> {
  const single = files.length === 1 ? files[0]!.interactions : null;
  const users = single === null ? merged(files, 'user') : { numbers: [single.users], ids: single.userIds };
  const items = single === null ? merged(files, 'item') : { numbers: [single.items], ids: single.itemIds };
  const counts = new Uint32Array(users.ids.length);
  for (const numbers of users.numbers) for (const user of numbers) counts[user]!++;
  let greatest = 0;
  for (let user = 1; user < counts.length; user++) if (counts[user]! > counts[greatest]!) greatest = user;
  return {
    files: files.flatMap((file) => {
      const { understanding } = file.interactions;
      return understanding === undefined ? [] : [fileSummary(file, understanding)];
    }),
    users: users.ids.length,
    items: items.ids.length,
    interactions: users.numbers.reduce((sum, { length }) => sum + length, 0),
    doubles: doublesIn(
      files.map((_, file) => ({ users: users.numbers[file]!, items: items.numbers[file]! })),
      counts,
      items.ids.length,
    ),
    greatestUser: { id: users.ids[greatest]!, interactions: counts[greatest]! },
  };
}
