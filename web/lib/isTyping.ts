/** Inputs in which nothing is typed. */
const PRESSED = new Set(['checkbox', 'radio', 'range', 'button', 'submit', 'reset', 'color', 'file']);

/** Whether keys that are pressed there are text, as in a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !PRESSED.has(target.type);
  return target instanceof HTMLTextAreaElement || target.isContentEditable;
}
