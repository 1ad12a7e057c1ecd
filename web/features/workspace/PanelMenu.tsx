import type { RefObject } from 'react';
import { coerceError } from '#src/base/lib/coerceError.ts';
import type { Panel } from '#src/base/contracts/workspace.ts';
import { readChartColors } from '#web/charts/chartColors.ts';
import { pngPicture, type Picture, svgPicture } from '#web/charts/plot/pictureFile.ts';
import { Button } from '#web/components/Button.tsx';
import { copyText } from '#web/components/copyText.ts';
import { Popover } from '#web/components/Popover.tsx';
import { showToast } from '#web/components/toasts.ts';
import { useTheme } from '#web/components/useTheme.ts';
import { saveFile } from '#web/lib/saveFile.ts';
import { type PanelPicture, usePanelShared } from './panelContext.ts';

export interface PanelMenuProps {
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
export function PanelMenu({ panel, title, picture, body, onPanel, onMove, onRemove, onFull }: PanelMenuProps) {
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
