import { GrowableFloat64, GrowableUint32 } from '../read/growableArray.ts';
import type { Interactions } from '../prepare/interactions.ts';

/** `1`, `2`, … as the ids of what is generated. */
export function numberedIds(count: number): string[] {
  return Array.from({ length: count }, (_, place) => String(place + 1));
}

/** Collects generated interactions, users in order. */
export class GeneratedRows {
  private readonly users = new GrowableUint32();
  private readonly items = new GrowableUint32();
  private readonly times = new GrowableFloat64();

  add(user: number, item: number, time = 0): void {
    this.users.push(user);
    this.items.push(item);
    this.times.push(time);
  }

  /** `clock`: the times are kept; otherwise the order of the rows is the order. */
  finish(counts: { users: number; items: number }, clock: boolean): Interactions {
    return {
      users: this.users.view(),
      items: this.items.view(),
      times: clock ? this.times.view() : null,
      clock,
      userIds: numberedIds(counts.users),
      itemIds: numberedIds(counts.items),
      itemOrder: 'number',
    };
  }
}
