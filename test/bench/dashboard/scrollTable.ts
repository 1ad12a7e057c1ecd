import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { BenchRow } from '../benchResult.ts';
import { CATEGORIES, type Frame, framesOf } from './frames.ts';

/** Longer frames are felt. */
const LONGEST_MS = 50;
const TABLE = '.runs-scroll';

export interface ScrollOptions {
  /** How many runs the table has. */
  runs: number;
  /** Only scrollings whose names contain this. */
  only: string;
  /** Folders for traces and for profiles of the scripts. */
  traces: string | undefined;
  profiles: string | undefined;
}

interface Scroll {
  work: string;
  /** Pixels a frame. */
  down: number;
  right: number;
  frames: number;
}

const WHILE_LOADING: Scroll = { work: 'down, pages come, 240 px a frame', down: 240, right: 0, frames: 300 };
const LOADED: readonly Scroll[] = [
  { work: 'down, 240 px a frame', down: 240, right: 0, frames: 300 },
  { work: 'down by its bar, 3000 px a frame', down: 3_000, right: 0, frames: 100 },
  { work: 'sideways, 300 px a frame', down: 0, right: 300, frames: 300 },
  { work: 'sideways by its bar, 2000 px a frame', down: 0, right: 2_000, frames: 60 },
  { work: 'both ways', down: 120, right: 120, frames: 300 },
];

/** Scrolls through the table of runs that the page shows, and says what its frames took: the worst one, beside a limit. */
export async function scrollTable(page: Page, options: ScrollOptions): Promise<BenchRow[]> {
  await page.locator('tbody tr[data-run]').nth(20).waitFor();
  const rows: BenchRow[] = [];
  const scrollings = [WHILE_LOADING, ...LOADED].filter(({ work }) => work.includes(options.only));
  for (const scroll of scrollings) {
    if (scroll !== WHILE_LOADING) await loadAll(page, options.runs);
    rows.push(await measure(page, scroll, options));
  }
  return rows;
}

async function loadAll(page: Page, runs: number): Promise<void> {
  await page.locator(TABLE).evaluate(
    (table, last) =>
      new Promise<void>((resolve) => {
        const step = () => {
          table.scrollTo({ top: table.scrollHeight });
          if (table.querySelector(`tr[data-row="${last}"]`) !== null) resolve();
          else setTimeout(step, 50);
        };
        step();
      }),
    runs - 1,
  );
}

async function measure(page: Page, scroll: Scroll, { traces, profiles }: ScrollOptions): Promise<BenchRow> {
  await page.locator(TABLE).evaluate((table) => table.scrollTo({ top: 0, left: 0 }));
  await page.waitForLoadState('networkidle');
  const browser = page.context().browser()!;
  const session = await page.context().newCDPSession(page);
  if (profiles !== undefined) {
    await session.send('Profiler.enable');
    await session.send('Profiler.start');
  }
  await browser.startTracing(page, { categories: CATEGORIES });
  const nodes = await page.locator(TABLE).evaluate(
    (table, { down, right, frames }) =>
      new Promise<number>((resolve) => {
        const view = table.ownerDocument.defaultView!;
        let most = 0;
        let left = frames;
        const step = () => {
          most = Math.max(most, table.getElementsByTagName('*').length);
          left -= 1;
          if (left < 0) {
            performance.mark('scroll-end');
            resolve(most);
            return;
          }
          table.scrollBy(right, down);
          view.requestAnimationFrame(step);
        };
        performance.mark('scroll-begin');
        view.requestAnimationFrame(step);
      }),
    scroll,
  );
  const trace = await browser.stopTracing();
  if (traces !== undefined) write(traces, `${scroll.work}.json`, trace);
  if (profiles !== undefined) {
    const { profile } = await session.send('Profiler.stop');
    write(profiles, `${scroll.work}.cpuprofile`, JSON.stringify(profile));
  }
  await session.detach();
  return rowOf(scroll, framesOf(trace), nodes);
}

function write(folder: string, name: string, content: string | Buffer): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name.replaceAll(/[^\w.]+/g, '-')), content);
}

function rowOf({ work }: Scroll, frames: readonly Frame[], nodes: number): BenchRow {
  const sorted = frames.toSorted((a, b) => a.processor - b.processor);
  const worst = sorted.at(-1);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.processor ?? 0;
  const parts = Object.entries(worst?.parts ?? {}).map(([part, ms]) => `${part} ${ms.toFixed(0)}`);
  const over = frames.filter(({ processor }) => processor > LONGEST_MS).length;
  return {
    ...{ work, value: worst?.processor ?? Number.NaN, unit: 'ms', aim: LONGEST_MS, processorMs: null },
    also: [
      `median ${at(0.5).toFixed(1)}, p95 ${at(0.95).toFixed(1)}, ${over} of ${frames.length} over ${LONGEST_MS}`,
      `longest task ${Math.max(...frames.map(({ longestTask }) => longestTask)).toFixed(0)}`,
      `worst: ${parts.join(', ')}`,
      `${nodes} elements`,
    ].join('; '),
  };
}
