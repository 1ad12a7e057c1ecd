import type { Interactions } from '../prepare/interactions.ts';
import { badLine } from './badLine.ts';
import { BadLines } from './badLines.ts';
import { GrowableFloat32, GrowableUint32 } from './growableArray.ts';
import { IdTable } from './idTable.ts';
import { isMissing } from './missingValue.ts';
import type { ReadOptions } from './readOptions.ts';
import { TimeColumn } from './timeColumn.ts';
import { greatestShare, type Understanding } from './understanding.ts';

/** One interaction as a reader finds it. */
export interface Row {
  user: string;
  item: string;
  /** A number or a text that spells one; missing where there is none. */
  rating?: number | string | undefined;
  /** As it is written; missing where there is none. */
  time?: number | string | undefined;
}

/** What a row's parts are called in messages. */
export interface RowNames {
  user: string;
  item: string;
  time: string | null;
  rating: string | null;
}

/** The interactions of a file, taken in row by row, with what was wrong with the others. */
export class InteractionRows {
  readonly bad: BadLines;
  readonly times: TimeColumn;
  readonly users = new GrowableUint32();
  readonly items = new GrowableUint32();
  readonly userTable = new IdTable();
  readonly itemTable = new IdTable();
  /** Of a given split; empty where the file has none. */
  readonly parts = new GrowableUint32();
  readonly #ratings = new GrowableFloat32();
  readonly #path: string;
  readonly #options: ReadOptions;
  #hasRatings = false;
  #hasTimes = false;
  leftOut = 0;
  firstLine = 0;

  constructor(path: string, options: ReadOptions) {
    this.#path = path;
    this.#options = options;
    this.bad = new BadLines(path, options.lenient === true);
    this.times = new TimeColumn(path, options.timeFormat ?? null);
  }

  /** Which columns the file has; said once, before the first row. */
  begin({ hasTimes, hasRatings }: { hasTimes: boolean; hasRatings: boolean }): void {
    this.#hasTimes = hasTimes && this.#options.time === undefined;
    this.#hasRatings = hasRatings;
  }

  get hasTimes(): boolean {
    return this.#hasTimes;
  }

  /** Takes in what was found and checked. */
  push(user: number, item: number, time: number, rating: number, line: number): void {
    if (this.users.length === 0) this.firstLine = line;
    this.users.push(user);
    this.items.push(item);
    if (this.#hasTimes) this.times.keep(time);
    if (this.#hasRatings) this.#ratings.push(rating);
  }

  /** Takes in a row, or notes what is wrong with it. */
  take(row: Row, line: number, names: RowNames): void {
    const user = this.userTable.ofString(row.user);
    if (user === -1) {
      this.bad.add(line, `${names.user} ${quoted(row.user)}`, this.userTable.whyNot('a user', Buffer.from(row.user)));
      return;
    }
    const item = this.itemTable.ofString(row.item);
    if (item === -1) {
      this.bad.add(line, `${names.item} ${quoted(row.item)}`, this.itemTable.whyNot('an item', Buffer.from(row.item)));
      return;
    }
    let rating = Number.NaN;
    if (this.#hasRatings && row.rating !== undefined && !isMissing(String(row.rating))) {
      rating = Number(row.rating);
      if (!Number.isFinite(rating)) {
        this.bad.add(line, `${names.rating} ${quoted(String(row.rating))}`, NO_RATING);
        return;
      }
    }
    let time = 0;
    if (this.#hasTimes) {
      time =
        typeof row.time === 'number'
          ? this.times.readNumber(row.time, line)
          : this.times.readText(row.time ?? '', line);
      if (Number.isNaN(time)) {
        this.bad.add(line, `${names.time} ${quoted(String(row.time ?? ''))}`, this.times.expected);
        return;
      }
    }
    this.push(user, item, time, rating, line);
  }

  /**
   * All that was taken in. Throws DATA_ERROR for bad lines, unless the reader is lenient, where nothing is left, and where the
   * form of the times cannot be told.
   */
  finish(of: {
    form: string;
    columns: Understanding['columns'];
    timeIsOrder?: boolean;
    itemOrder?: Interactions['itemOrder'];
    /** Without times, the lines are in order. */
    linesAreOrder?: boolean;
    expected: string;
    notes?: readonly string[];
  }): Interactions & { understanding: Understanding } {
    const { users, items } = this;
    this.bad.refuseIfAny(users.length);
    if (users.length === 0) {
      const condition =
        this.leftOut > 0 ? `, since none of ${this.leftOut.toLocaleString('en')} rows meets --where` : '';
      throw badLine(this.#path, 1, `no interactions${condition}`, of.expected);
    }
    const reading = this.#hasTimes ? this.times.finish() : null;
    const byLine =
      this.#options.time === 'line' || (of.linesAreOrder === true && !this.#hasTimes && this.#options.time !== 'none');
    const [userIds, itemIds] = [this.userTable.names, this.itemTable.names];
    const shares = [greatestShare('user', users.view(), userIds), greatestShare('item', items.view(), itemIds)];
    const times = this.#hasTimes
      ? this.times.view()
      : byLine
        ? Float64Array.from({ length: users.length }, (_, row) => row)
        : null;
    return {
      users: users.view(),
      items: items.view(),
      times,
      clock: this.#hasTimes && of.timeIsOrder !== true,
      ratings: this.#hasRatings ? this.#ratings.view() : null,
      userIds,
      itemIds,
      ...(this.parts.length === 0 ? {} : { parts: Uint8Array.from(this.parts.view()) }),
      itemOrder: of.itemOrder ?? 'appearance',
      skipped: this.bad.skipped,
      understanding: {
        form: of.form,
        columns: of.columns,
        firstLine: this.firstLine,
        times: reading?.words ?? (byLine ? 'the order of the lines' : null),
        perSecond: of.timeIsOrder === true ? null : (reading?.perSecond ?? null),
        leftOut: this.leftOut,
        notes: [...(of.notes ?? []), ...shares.filter((share) => share !== null)],
      },
    };
  }
}

export const NO_RATING = 'a number (rating). Without ratings: --map rating=none';

/** A text as it may be shown in a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
