import { useState } from 'react';
import type { Panel } from '#src/base/contracts/workspace.ts';
import { Button } from '#web/components/Button.tsx';
import { PanelCard } from './PanelCard.tsx';
import { usePanelShared } from './panelContext.ts';
import { movePanel, type Section, toggleSection, withPanel } from './sections.ts';

const FIRST_PANELS = 24;

/** Panels under one head, which folds them. */
export function WorkspaceSection({ section }: { section: Section }) {
  const { workspace, onWorkspace, onRemove } = usePanelShared();
  const [shown, setShown] = useState(FIRST_PANELS);
  const [full, setFull] = useState<string | null>(null);
  const { name, panels, isOpen } = section;
  // one or two leave no empty place beside them, unless somebody has given them a size
  const few = panels.length <= 2 && panels.every(({ width }) => width === 1) ? panels.length : undefined;
  const place = (id: string) => panels.findIndex((panel) => panel.id === id);
  const stepTo = (panel: Panel | undefined) =>
    panel === undefined
      ? null
      : () => {
          setShown((before) => Math.max(before, place(panel.id) + 1));
          setFull(panel.id);
        };
  return (
    <section className="workspace-section" aria-label={`Panels of ${name}`}>
      <h2 className="workspace-section-head">
        <button type="button" aria-expanded={isOpen} onClick={() => onWorkspace(toggleSection(workspace, name))}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {name}
        </button>
        <span className="muted">{panels.length === 1 ? '1 panel' : `${panels.length} panels`}</span>
      </h2>
      {isOpen && (
        <div className="workspace-grid" data-few={few}>
          {panels.slice(0, shown).map((panel, index) => (
            <PanelCard
              key={panel.id}
              panel={panel}
              isFull={panel.id === full}
              onFull={(isFull) => setFull(isFull ? panel.id : null)}
              onStep={{ previous: stepTo(panels[index - 1]), next: stepTo(panels[index + 1]) }}
              onPanel={(changed) => onWorkspace(withPanel(workspace, changed))}
              onMove={(steps) =>
                onWorkspace(movePanel(workspace, section, { id: panel.id, to: place(panel.id) + steps }))
              }
              onDrop={(id) => {
                if (place(id) !== -1) onWorkspace(movePanel(workspace, section, { id, to: place(panel.id) }));
              }}
              onRemove={() => onRemove(panel)}
            />
          ))}
        </div>
      )}
      {isOpen && panels.length > shown && (
        <Button onClick={() => setShown(shown + FIRST_PANELS)}>Show more panels ({panels.length - shown} left)</Button>
      )}
    </section>
  );
}
