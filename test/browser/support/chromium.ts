import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { atEndOfFile } from '#test/integration/support/atEndOfFile.ts';
import { CHROMIUM_FLAGS, findChromium } from './findChromium.ts';

const executable = findChromium();

/** `describe`, skipped with the reason printed where there is no Chromium; with `CI=true` that is a failure. */
export function describeInBrowser(name: string, body: () => void): void {
  if (executable !== null) {
    describe(name, body);
    return;
  }
  const reason = 'Chromium is not installed (WARREN_CHROMIUM names another place): tests of the dashboard cannot run';
  if (process.env.CI === 'true') throw new Error(reason);
  console.warn(`skipped: ${reason}`);
  describe(name, () => test.skip(reason, () => {}));
}

export const hasChromium = executable !== null;

export interface OpenedPage {
  page: Page;
  context: BrowserContext;
  /** Errors of the page's own code and of its content security policy so far. */
  faults: string[];
}

export interface PageOptions {
  colorScheme?: 'light' | 'dark';
  width?: number;
  height?: number;
}

let browser: Promise<Browser> | null = null;

/**
 * A page in a profile of its own, which ends with this test file. One Chromium serves all files of a worker of vitest; it ends with that, as
 * does every Chromium that nobody holds a connection to.
 */
export async function openPage(
  baseUrl: string,
  { colorScheme = 'light', width = 1360, height = 860 }: PageOptions = {},
): Promise<OpenedPage> {
  browser ??= launch();
  const context = await (await browser).newContext({
    baseURL: baseUrl,
    colorScheme,
    viewport: { width, height },
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  atEndOfFile(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) faults.push(text);
  });
  return { page, context, faults };
}

async function launch(): Promise<Browser> {
  const launched = await chromium.launch({ executablePath: executable!, args: [...CHROMIUM_FLAGS] });
  launched.once('disconnected', () => {
    browser = null;
  });
  return launched;
}
