import { useId, useRef } from 'react';
import { type DrawnCloud, useCloudDrawing } from './useCloudDrawing.ts';
import { type MovedCloud, useCloudMoves } from './useCloudMoves.ts';

export interface PointCloudViewProps extends DrawnCloud, MovedCloud {
  /** What the picture is, aloud. */
  label: string;
}

/** A cloud of points that is dragged, zoomed and, in space, turned, by pointer or keyboard. */
export function PointCloudView(props: PointCloudViewProps) {
  const { label, inSpace } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const failed = useCloudDrawing(canvas, props);
  const moves = useCloudMoves(canvas, props);
  const hint = useId();
  return (
    <>
      {failed && (
        <p className="notice" role="alert">
          This browser draws no WebGL 2, which the picture needs. The table of items below has the same points.
        </p>
      )}
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a picture that is moved about has no element of its own */}
      <canvas
        ref={canvas}
        className="cloud-canvas"
        role="application"
        aria-label={label}
        aria-describedby={hint}
        tabIndex={0}
        hidden={failed}
        {...moves}
      />
      <span id={hint} className="visually-hidden">
        {inSpace ? 'Arrows turn the picture, with Shift they move it' : 'Arrows move the picture'}, plus and minus zoom,
        0 shows all, Enter chooses the item in the middle. The table below lists all items.
      </span>
    </>
  );
}
