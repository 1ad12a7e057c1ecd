import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { clampShare, LEAST_SHARE, MOST_SHARE } from './share.ts';
import './workspace.css';

export interface SplitViewProps {
  /** The left part of the whole, in percent. */
  share: number;
  onShare(share: number): void;
  left: ReactNode;
  right: ReactNode;
}

const KEY_STEP = 5;

/** Two parts beside each other, and between them a bar that is dragged, or moved with the arrow keys. On a phone they stand above each other. */
export function SplitView({ share, onShare, left, right }: SplitViewProps) {
  const root = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever the address says ends the drag
  useEffect(() => setDragged(null), [share]);
  const shown = dragged ?? share;
  const at = (event: PointerEvent) => {
    const box = root.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return share;
    return clampShare(((event.clientX - box.left) / box.width) * 100);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onShare(clampShare(share + step));
  };
  return (
    <div className="split" ref={root} style={{ '--split-share': `${shown}%` } as Record<string, string>}>
      <div className="split-part split-left">{left}</div>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved */}
      <div
        className="split-bar"
        role="separator"
        aria-orientation="vertical"
        aria-label="Between table and curves"
        aria-valuenow={Math.round(shown)}
        aria-valuemin={LEAST_SHARE}
        aria-valuemax={MOST_SHARE}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(at(event));
        }}
        onPointerMove={(event) => dragged !== null && setDragged(at(event))}
        onPointerUp={() => {
          if (dragged === null) return;
          if (dragged === share) setDragged(null);
          else onShare(dragged);
        }}
        onPointerCancel={() => setDragged(null)}
      />
      <div className="split-part split-right">{right}</div>
    </div>
  );
}
