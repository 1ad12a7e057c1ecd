import { type CSSProperties, type PointerEvent, useRef, useState, type RefObject } from 'react';
import type { Panel } from '#src/base/contracts/workspace.ts';
import { Dialog } from '#web/components/Dialog.tsx';
import { Button } from '#web/components/Button.tsx';
import { Icon } from '#web/components/Icon.tsx';
import { Popover } from '#web/components/Popover.tsx';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { useNowInSight } from '../shared/useInSight.ts';
import { fullSettings } from './curveSettings.ts';
import { PanelBody } from './PanelBody.tsx';
import { type PanelPicture, usePanelShared } from './panelContext.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { readChartColors } from '#web/charts/chartColors.ts';
import { pngPicture, type Picture, svgPicture } from '#web/charts/plot/pictureFile.ts';
import { copyText } from '#web/components/copyText.ts';
import { showToast } from '#web/components/toasts.ts';
import { useTheme } from '#web/components/useTheme.ts';
import { saveFile } from '#web/lib/saveFile.ts';
import { PanelSettings } from './PanelSettings.tsx';
import { panelTitle } from './panelTitle.ts';
import { SubjectLegend } from './SubjectLegend.tsx';

interface PanelMenuProps {
  panel: Panel;
  title: string;
  picture: RefObject<PanelPicture | null>;
  body: RefObject<HTMLElement | null>;
  onPanel(panel: Panel): void;
  onMove(steps: number): void;
  onRemove(): void;
  onFull(): void;
}

/** What can be done with a panel. */
function PanelMenu({ panel, title, picture, body, onPanel, onMove, onRemove, onFull }: PanelMenuProps) {
  const theme = useTheme();
  const { blockOf } = usePanelShared();
  const block = blockOf(panel);
  const { width, height } = panel;
  const save = (kind: 'svg' | 'png' | 'csv') => async () => {
    const made = picture.current;
    if (made === null) return;
    const name = `${title.replace(/[^\p{L}\p{N}@._-]+/gu, '-')}.${kind}`;
    const box = body.current?.getBoundingClientRect();
    const drawn: Picture = {
      ...{ title, draw: made.draw, legend: made.legend, colors: readChartColors(theme) },
      ...{ width: Math.max(480, Math.round(box?.width ?? 0)), height: Math.max(280, Math.round(box?.height ?? 0)) },
    };
    try {
      if (kind === 'csv') saveFile(new Blob([made.csv()], { type: 'text/csv;charset=utf-8' }), name);
      else if (kind === 'svg') saveFile(new Blob([svgPicture(drawn)], { type: 'image/svg+xml' }), name);
      else saveFile(await pngPicture(drawn), name);
    } catch (error) {
      showToast(coerceError(error).message, { error: true });
    }
  };
  return (
    <Popover
      label={<span aria-hidden="true">⋯</span>}
      name={`More for ${title}`}
      title={`More for ${title}`}
      look="quiet"
    >
      <div className="panel-menu">
        <Button look="quiet" onClick={onFull}>
          Full screen
        </Button>
        {panel.kind !== 'media' && (
          <div className="row">
            {(['svg', 'png', 'csv'] as const).map((kind) => (
              <Button key={kind} aria-label={`Save as ${kind.toUpperCase()}`} onClick={() => void save(kind)()}>
                {kind.toUpperCase()}
              </Button>
            ))}
          </div>
        )}
        {block !== null && (
          <Button
            look="quiet"
            title="The block that draws it in the text of a report"
            onClick={() => void copyText(block, 'Copied. Paste it into the text of a report.')}
          >
            Copy for a report
          </Button>
        )}
        <div className="row">
          <Button aria-label="Narrower" disabled={width <= 1} onClick={() => onPanel({ ...panel, width: width - 1 })}>
            − width
          </Button>
          <Button aria-label="Wider" disabled={width >= 3} onClick={() => onPanel({ ...panel, width: width + 1 })}>
            + width
          </Button>
        </div>
        <div className="row">
          <Button aria-label="Lower" disabled={height <= 1} onClick={() => onPanel({ ...panel, height: height - 1 })}>
            − height
          </Button>
          <Button aria-label="Higher" disabled={height >= 3} onClick={() => onPanel({ ...panel, height: height + 1 })}>
            + height
          </Button>
        </div>
        <div className="row">
          <Button aria-label="Move before the panel before" onClick={() => onMove(-1)}>
            ← earlier
          </Button>
          <Button aria-label="Move behind the panel behind" onClick={() => onMove(1)}>
            later →
          </Button>
        </div>
        <Button look="danger" onClick={onRemove}>
          Remove panel
        </Button>
      </div>
    </Popover>
  );
}

export interface PanelCardProps {
  panel: Panel;
  /** Shown alone, as large as the window. */
  isFull: boolean;
  onFull(isFull: boolean): void;
  /** Shows the panel before it or behind it so; null where there is none. */
  onStep: Readonly<Record<'previous' | 'next', (() => void) | null>>;
  onPanel(panel: Panel): void;
  onMove(steps: number): void;
  /** Another panel was dropped on this one. */
  onDrop(id: string): void;
  onRemove(): void;
}

const DRAGGED = 'application/x-warren-panel';
/** What a panel's sizes are counted in, in pixels. */
const ROW = 220;

/** A panel with its name, settings and menu. Its head is dragged to move it, its corner to resize it. */
export function PanelCard(props: PanelCardProps) {
  const { panel, isFull, onFull, onStep, onPanel, onMove, onDrop, onRemove } = props;
  const { workspace, metrics, allSubjects, lit, onCurve } = usePanelShared();
  const [root, inSight] = useNowInSight<HTMLElement>();
  const body = useRef<HTMLDivElement>(null);
  const picture = useRef<PanelPicture | null>(null);
  const [isTarget, setTarget] = useState(false);
  const title = panelTitle(panel);
  return (
    <figure
      className={joinClasses('panel', 'workspace-panel', isTarget && 'workspace-panel-target')}
      style={spans(panel)}
      ref={root}
      data-panel={panel.id}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false);
        const id = event.dataTransfer.getData(DRAGGED);
        if (id !== '' && id !== panel.id) onDrop(id);
      }}
    >
      <figcaption className="workspace-panel-head">
        <h3 title={title} draggable onDragStart={(event) => event.dataTransfer.setData(DRAGGED, panel.id)}>
          {title}
        </h3>
        {panel.kind === 'line' && (
          <Popover
            label={<Icon name="settings" />}
            name={`Settings of ${title}`}
            title={`Settings of ${title}`}
            look="quiet"
          >
            <PanelSettings
              settings={panel.settings}
              full={fullSettings(workspace.settings, panel.settings)}
              metrics={metrics}
              withRanges
              onChange={(settings) => onPanel({ ...panel, settings })}
            />
          </Popover>
        )}
        <PanelMenu {...{ panel, title, picture, body, onPanel, onMove, onRemove }} onFull={() => onFull(true)} />
      </figcaption>
      <div className="workspace-panel-body" ref={body}>
        <PanelBody panel={panel} inSight={inSight && !isFull} picture={picture} />
      </div>
      <PanelCorner panel={panel} onPanel={onPanel} />
      {isFull && (
        <Dialog title={title} look="full" onClose={() => onFull(false)}>
          <div className="workspace-full">
            <PanelBody panel={panel} inSight picture={picture} />
          </div>
          {panel.kind === 'line' && (
            <SubjectLegend {...{ subjects: allSubjects, hidden: workspace.hidden, lit, onCurve }} />
          )}
          <div className="dialog-foot">
            <Button disabled={onStep.previous === null} onClick={() => onStep.previous?.()}>
              Panel before
            </Button>
            <Button disabled={onStep.next === null} onClick={() => onStep.next?.()}>
              Next panel
            </Button>
            <Button look="primary" onClick={() => onFull(false)}>
              Close
            </Button>
          </div>
        </Dialog>
      )}
    </figure>
  );
}

/** How many columns and rows it takes, also where there are two columns. */
function spans({ width, height }: Panel): CSSProperties {
  const variables: Record<string, number> = {
    '--panel-width': width,
    '--panel-width-of-two': Math.min(2, width),
    '--panel-height': height,
  };
  return variables;
}

/** The corner by which a panel is made larger or smaller; the keyboard has the menu for it. */
function PanelCorner({ panel, onPanel }: Pick<PanelCardProps, 'panel' | 'onPanel'>) {
  const from = useRef<{ x: number; y: number; column: number } | null>(null);
  const end = (event: PointerEvent<HTMLDivElement>) => {
    const start = from.current;
    from.current = null;
    if (start === null) return;
    const clamp = (size: number) => Math.min(3, Math.max(1, size));
    const width = clamp(panel.width + Math.round((event.clientX - start.x) / start.column));
    const height = clamp(panel.height + Math.round((event.clientY - start.y) / ROW));
    if (width !== panel.width || height !== panel.height) onPanel({ ...panel, width, height });
  };
  return (
    <div
      className="workspace-corner"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const box = event.currentTarget.parentElement?.getBoundingClientRect();
        from.current = { x: event.clientX, y: event.clientY, column: (box?.width ?? ROW) / panel.width };
      }}
      onPointerUp={end}
      onPointerCancel={() => {
        from.current = null;
      }}
    />
  );
}
