import { createStore } from '../lib/store.ts';

export interface Toast {
  id: number;
  text: string;
  error: boolean;
  /** What can be done about it. */
  action: ToastAction | null;
  /** What it is about, where others about it make it out of date. */
  about: string | null;
}

export interface ToastAction {
  label: string;
  run(): void;
}

const STAY_MS = 8000;
let lastId = 0;

/** Short messages about what an action did, newest last. */
export const toasts = createStore<readonly Toast[]>([]);

/** Shows a message for some seconds; an error stays until it is closed. */
export function showToast(
  text: string,
  { error = false, action = null, about = null }: Partial<Pick<Toast, 'error' | 'action' | 'about'>> = {},
): void {
  lastId += 1;
  const toast = { id: lastId, text, error, action, about };
  toasts.set([...toasts.get(), toast]);
  if (!error) setTimeout(() => closeToast(toast.id), STAY_MS);
}

export function closeToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** Closes messages that are out of date. */
export function closeToastsAbout(about: string): void {
  toasts.set(toasts.get().filter((toast) => toast.about !== about));
}
