import { lazy, Suspense, useEffect, useState } from 'react';
import { Button } from '../components/Button.tsx';
import { Icon } from '../components/Icon.tsx';
import { PaletteWait } from '../features/palette/PaletteField.tsx';
import { ON_MAC } from '../lib/onMac.ts';

const load = () => import('../features/palette/CommandPalette.tsx');
const CommandPalette = lazy(async () => ({ default: (await load()).CommandPalette }));
/** Some time after the page itself: mostly it is there before somebody asks for it. */
const LOAD_AFTER_MS = 1500;

/** Opens the palette, as Ctrl and K (on a Mac ⌘ and K) do from anywhere. */
export function PaletteButton() {
  const [open, setOpen] = useState(false);
  // while the palette is not there
  const [typed, setTyped] = useState('');
  const close = () => {
    setOpen(false);
    setTyped('');
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen((before) => !before && document.querySelector('dialog[open]') === null);
    };
    document.addEventListener('keydown', onKey);
    const timer = setTimeout(() => void load().catch(() => {}), LOAD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  return (
    <>
      <Button
        className="palette-button"
        title="Find pages, runs and actions"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" size={13} />
        <span className="palette-button-text">Find</span>
        <span className="palette-keys" aria-hidden="true">
          <kbd>{ON_MAC ? '⌘K' : 'Ctrl K'}</kbd>
        </span>
      </Button>
      {open && (
        <Suspense fallback={<PaletteWait text={typed} onText={setTyped} onClose={close} />}>
          <CommandPalette typed={typed} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
