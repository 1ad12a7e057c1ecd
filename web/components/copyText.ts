import { showToast } from './toasts.ts';

/**
 * Copies a text and says so. Away from this machine a page without HTTPS has no clipboard, and copies what it selects.
 * @param done What is said then.
 * @returns Whether it was copied.
 */
export async function copyText(text: string, done: string): Promise<boolean> {
  const copied = await write(text);
  if (copied) showToast(done);
  else showToast('The browser does not let pages copy: select the text.', { error: true });
  return copied;
}

async function write(text: string): Promise<boolean> {
  if (!isSecureContext) return copySelected(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Selects the text where nobody sees it: beside what has the focus, for panels close when it leaves them. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const place = before?.parentElement ?? document.body;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  area.setAttribute('aria-hidden', 'true');
  place.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
