import { WarrenError } from '#src/base/contracts/errors.ts';
import { LIMITS } from './limits.ts';

/** What the answer to one request may still hold. */
export interface AnswerBudget {
  /**
   * Reads what may be large, after the earlier reads of the same request: together they take no more memory than the answer.
   * @param read Gets the bytes that are left, at least one, and says how many it took.
   * @throws WarrenError TOO_LARGE when nothing is left.
   */
  read<Result>(read: (left: number) => Promise<{ result: Result; bytes: number }>): Promise<Result>;
  /**
   * Counts a value that stands in the answer, each time that it does: what is read once may be shown under many names.
   * @throws WarrenError TOO_LARGE when it does not fit any more.
   */
  charge(bytes: number): void;
  /** As `read`, for rows that are measured first, and not read when they are too many. */
  readRows<Row>(rows: { measure(): Promise<number>; list(): Promise<Row[]> }): Promise<Row[]>;
  /** As `readRows`, for rows that `list` leaves out when they take more than it is given: one question instead of two. */
  readWithin<Row>(list: (left: number) => Promise<{ result: Row[]; bytes: number }>): Promise<Row[]>;
}

export function createAnswerBudget(total: number = LIMITS.answerBytes): AnswerBudget {
  let left = total;
  let unshown = total;
  let last: Promise<unknown> = Promise.resolve();

  function tooLarge(): WarrenError {
    const advice = 'ask for smaller pages or fewer fields';
    return new WarrenError('TOO_LARGE', `the answer would have more than ${total} bytes: ${advice}`);
  }

  const budget: AnswerBudget = {
    read(work) {
      const turn = last.then(async () => {
        if (left <= 0) throw tooLarge();
        const { result, bytes } = await work(left);
        left -= bytes;
        return result;
      });
      last = turn.catch(() => {});
      return turn;
    },
    charge(bytes) {
      if (bytes > unshown) throw tooLarge();
      unshown -= bytes;
    },
    readRows({ measure, list }) {
      return budget.read(async (bytesLeft) => {
        const bytes = await measure();
        if (bytes > bytesLeft) throw tooLarge();
        return { result: await list(), bytes };
      });
    },
    readWithin(list) {
      return budget.read(async (bytesLeft) => {
        const found = await list(bytesLeft);
        if (found.bytes > bytesLeft) throw tooLarge();
        return found;
      });
    },
  };
  return budget;
}

const jsonLengths = new WeakMap<object, number>();

/** Characters of a value as JSON; counted once for an object, however often it is shown. */
export function jsonBytes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return String(value).length;
  const counted = jsonLengths.get(value);
  if (counted !== undefined) return counted;
  const length = JSON.stringify(value).length;
  jsonLengths.set(value, length);
  return length;
}

/** About how many bytes saved views take in an answer. */
export function viewBytes(views: readonly { settings: object }[]): number {
  return views.reduce((sum, { settings }) => sum + jsonBytes(settings), 0);
}

/** About how many bytes entries or versions of the registry take in an answer. */
export function registryBytes(rows: readonly { description: string; tags: object }[]): number {
  return rows.reduce((sum, { description, tags }) => sum + description.length + jsonBytes(tags), 0);
}

/** What a point costs in its columns, as text. */
const POINT_BYTES = 60;

/** About how many bytes series in columns take in an answer. */
export function historyBytes(series: readonly { steps: readonly number[] }[]): number {
  return series.reduce((sum, { steps }) => sum + steps.length * POINT_BYTES, 0);
}
