import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Tab is pressed at most so often on the way to one thing: who presses more gives up. */
const MOST_STOPS = 40;

interface FocusedElement {
  name: string;
  /** It has an outline, or is a field whose caret shows where one is. */
  marked: boolean;
  /** A part of it is in the window, and not covered by something else. */
  inSight: boolean;
}

/** What has the focus; null: nothing but the page. */
async function focusedElement(page: Page): Promise<FocusedElement | null> {
  return await page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const left = Math.max(box.left, 0);
    const top = Math.max(box.top, 0);
    const right = Math.min(box.right, innerWidth);
    const bottom = Math.min(box.bottom, innerHeight);
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent;
    return {
      name: `${element.tagName.toLowerCase()} ${(element.getAttribute('aria-label') ?? label ?? '').trim()}`.slice(
        0,
        80,
      ),
      marked: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
      inSight:
        right > left &&
        bottom > top &&
        above !== null &&
        (element.contains(above) || above.contains(element) || above.closest('label')?.contains(element) === true),
    };
  });
}

/**
 * Goes by Tab, or by Shift and Tab, to an element, and expects that each stop on the way can be seen.
 * @returns how often the key was pressed.
 */
export async function tabTo(page: Page, target: Locator, { back = false } = {}): Promise<number> {
  await target.waitFor();
  const passed: string[] = [];
  for (let stop = 1; stop <= MOST_STOPS; stop++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    const focused = await focusedElement(page);
    passed.push(focused?.name ?? '(nothing)');
    if (focused !== null) {
      expect(focused.marked, `the focus is to be seen on: ${focused.name}`).toBe(true);
      expect(focused.inSight, `it is in sight: ${focused.name}`).toBe(true);
    }
    if (await target.evaluate((element) => element === document.activeElement)) return stop;
  }
  throw new Error(`${MOST_STOPS} times Tab do not lead to ${target}: ${passed.join(' > ')}`);
}

/** Opens the command palette, types, and takes what is found first when it has these words. */
export async function findAndGo(page: Page, text: string, found: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Find/ }).waitFor();
  await page.keyboard.type(text);
  await page.getByRole('option', { name: found, selected: true }).waitFor();
  await page.keyboard.press('Enter');
}

/** Expects that this has the focus: where a dialog or a menu that was closed had been opened. */
export async function expectFocused(target: Locator): Promise<void> {
  expect(await target.evaluate((element) => element === document.activeElement), `${target} has the focus`).toBe(true);
}
