import { useCallback, useEffect, useRef } from 'react';
import type { Panel, Workspace } from '#src/base/contracts/workspace.ts';
import { showToast } from '#web/components/toasts.ts';
import { panelTitle } from './panelTitle.ts';
import { withoutPanel, withPanelBack } from './sections.ts';
import { PANELS } from './useWorkspaceHistory.ts';

/** Takes panels away and brings them back; what was changed since then stays. */
export function useRemoval(workspace: Workspace, onWorkspace: (workspace: Workspace) => void) {
  const latest = useRef({ workspace, onWorkspace });
  useEffect(() => {
    latest.current = { workspace, onWorkspace };
  }, [workspace, onWorkspace]);
  const change = useCallback((changed: (before: Workspace) => Workspace) => {
    latest.current.onWorkspace(changed(latest.current.workspace));
  }, []);
  const remove = useCallback(
    (panel: Panel) => {
      const before = latest.current.workspace;
      change((now) => withoutPanel(now, panel.id));
      const undo = () => change((now) => withPanelBack(now, before, panel.id));
      showToast(`${panelTitle(panel)} is removed.`, { about: PANELS, action: { label: 'Undo', run: undo } });
    },
    [change],
  );
  const bringAllBack = () => {
    const { removed } = latest.current.workspace;
    change((now) => ({ ...now, removed: [] }));
    const undo = () => change((now) => ({ ...now, removed }));
    showToast(`${removed.length === 1 ? '1 panel is' : `${removed.length} panels are`} back.`, {
      about: PANELS,
      action: { label: 'Undo', run: undo },
    });
  };
  return { remove, bringAllBack };
}
