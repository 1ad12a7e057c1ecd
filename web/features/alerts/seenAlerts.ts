import { createStore } from '#web/lib/store.ts';

const KEY = 'warren.seenAlert';

/** The number of the newest alert that was seen in this browser. */
export const seenAlert = createStore<number>(read());

/** Alerts up to this number are no news any more. */
export function markAlertsSeen(number: number): void {
  if (number <= seenAlert.get()) return;
  seenAlert.set(number);
  try {
    localStorage.setItem(KEY, String(number));
  } catch {
    // A browser that keeps nothing shows them as new each time.
  }
}

function read(): number {
  try {
    const number = Number(localStorage.getItem(KEY));
    return Number.isSafeInteger(number) && number > 0 ? number : 0;
  } catch {
    return 0;
  }
}
