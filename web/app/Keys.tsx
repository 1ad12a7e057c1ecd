import { lazy, Suspense, useEffect } from 'react';
import { useStore } from '../api/useStore.ts';
import { keysShown } from '../features/keys/keysShown.ts';
import { isTyping } from '../lib/isTyping.ts';

const KeysDialog = lazy(async () => ({ default: (await import('../features/keys/KeysDialog.tsx')).KeysDialog }));

/** The list of keys, which a question mark opens from anywhere. */
export function Keys() {
  const shown = useStore(keysShown);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      keysShown.set(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!shown) return null;
  return (
    <Suspense fallback={null}>
      <KeysDialog onClose={() => keysShown.set(false)} />
    </Suspense>
  );
}
