import type { Page } from 'playwright-core';

export interface Shown {
  name: string;
  path: string;
  /** Waits until the page shows what it is about. */
  ready(page: Page): Promise<unknown>;
}

/** A page that needs nothing of the API. */
export const NO_SUCH_PAGE = { path: '/nowhere', text: 'There is no such page' };

/**
 * Goes from a page of the dashboard to another one as a link does, so that the code of the dashboard, and of what looks at
 * its pages, is loaded once for many pages.
 */
export async function showPage(page: Page, { name, path, ready }: Shown): Promise<void> {
  // In between, so that nothing of the page before is taken for this one.
  await follow(page, NO_SUCH_PAGE.path);
  await page.getByText(NO_SUCH_PAGE.text).waitFor();
  await follow(page, path);
  await ready(page).catch((cause: unknown) => {
    throw new Error(`${name} at ${path} does not come up`, { cause });
  });
}

async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}
