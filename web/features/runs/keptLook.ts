import * as z from 'zod/mini';
import { textNumber } from '#web/lib/textNumber.ts';
import type { RunsSearch } from './runsSearch.ts';

/** Servers and proxies take addresses of 8 to 16 KiB; what an address says besides must have room, too. */
const LONGEST = 6_000;
/** What may be long, and what this browser keeps instead of it. */
const LONG_KEYS = ['columns', 'widths', 'shaded', 'workspace'] as const;
const MOST_KEPT = 20;
const KEY = 'warren.kept';

const parts = z.partialRecord(z.enum(LONG_KEYS), z.string());
const kept = z.catch(z.array(z.tuple([z.string(), parts])), []);
type Kept = z.infer<typeof kept>;

/** Where the browser keeps nothing: until the page is loaded anew. */
let remembered: Kept = [];

/** An address that servers take: what is too long in it stays in this browser, under a short name. */
export function shortSearch<Search extends RunsSearch>(search: Search): Search {
  const given = { ...search, kept: undefined };
  const size = Object.entries(given).reduce((sum, [key, value]) => sum + lengthOf(key, value), 0);
  if (size <= LONGEST) return given;
  const long = Object.fromEntries(LONG_KEYS.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])));
  if (Object.keys(long).length === 0) return given;
  const name = textNumber(JSON.stringify(long)).toString(36);
  write([[name, long], ...read().filter(([one]) => one !== name)].slice(0, MOST_KEPT) as Kept);
  const left = Object.fromEntries(LONG_KEYS.map((key) => [key, undefined]));
  return { ...given, ...left, kept: name };
}

/** The address with what this browser keeps of it; null where it keeps nothing under that name. */
export function fullSearch(search: RunsSearch): RunsSearch | null {
  if (search.kept === undefined) return search;
  const found = read().find(([name]) => name === search.kept);
  if (found === undefined) return null;
  return {
    ...search,
    ...found[1],
    ...Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)),
  };
}

function lengthOf(key: string, value: unknown): number {
  return typeof value === 'string' ? key.length + 2 + encodeURIComponent(value).length : 0;
}

function read(): Kept {
  try {
    return kept.parse(JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? remembered);
  } catch {
    return remembered;
  }
}

function write(next: Kept): void {
  remembered = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // full, or forbidden: this page knows
  }
}
