import { useEffect, useEffectEvent, useState } from 'react';
import type { MediaSettings, Panel } from '#src/base/contracts/workspace.ts';
import { usePanelShared } from './panelContext.ts';
import { USUAL_MEDIA, withMedia, withPanel } from './sections.ts';

/** A slider that moves changes the address once it rests: browsers refuse to change an address many times a second. */
const REST_MS = 250;

/** How a panel of media shows them, kept with the panel. The step is shown while the slider moves, and kept when it rests. */
export function useMediaSettings(panel: Panel) {
  const { workspace, onWorkspace } = usePanelShared();
  const kept = panel.media?.step ?? null;
  const [moved, setMoved] = useState<{ step: number | null } | null>(null);
  const change = (changed: MediaSettings) => {
    setMoved(null);
    const step = moved === null ? {} : { step: moved.step ?? undefined };
    onWorkspace(withPanel(workspace, withMedia(panel, { ...step, ...changed })));
  };
  const keepStep = useEffectEvent(() => change({}));
  useEffect(() => {
    if (moved === null) return;
    const timer = setTimeout(keepStep, REST_MS);
    return () => clearTimeout(timer);
  }, [moved]);
  return {
    size: panel.media?.size ?? USUAL_MEDIA.size,
    first: panel.media?.first ?? USUAL_MEDIA.first,
    step: moved === null ? kept : moved.step,
    /** Null: the newest. */
    chooseStep: (step: number | null) => setMoved({ step }),
    change,
  };
}
