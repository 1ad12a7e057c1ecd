import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react';
import {
  FIRST_CAMERA,
  FIRST_CAMERA_IN_SPACE,
  type PictureSize,
  type Pinch,
  pinched,
  projectionOf,
  rowAt,
  shifted,
  turned,
  zoomed,
} from './camera.ts';
import { type DrawnCloud, sizeOf } from './useCloudDrawing.ts';

export interface MovedCloud extends Pick<DrawnCloud, 'places' | 'inSpace' | 'camera'> {
  /** The point under the pointer, where that is in the picture, and how large the picture is. */
  onHover(row: number | null, spot: Spot, size: PictureSize): void;
  onChoose(row: number): void;
}

/** Farther than this from a point, in pixels, the pointer is not on it. */
const REACH = 12;
const KEY_STEP = 40;
const ZOOM_STEP = 1.25;
/** A pointer that moved less has clicked. */
const CLICK = 4;

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-KEY_STEP, 0],
  ArrowRight: [KEY_STEP, 0],
  ArrowUp: [0, -KEY_STEP],
  ArrowDown: [0, KEY_STEP],
};

/** What pointers, fingers and keys do to a cloud of points: they move, zoom and turn it, and choose points. */
export function useCloudMoves(canvas: RefObject<HTMLCanvasElement | null>, props: MovedCloud) {
  const { places, inSpace, camera, onHover, onChoose } = props;
  const drag = useRef<{ at: [number, number]; moved: number } | null>(null);
  const fingers = useRef(new Map<number, Spot>());

  const found = (spot: readonly [number, number], reach: number): number | null => {
    const size = sizeOf(canvas.current!);
    return rowAt(places, projectionOf(camera.get(), size), { spot, size, reach });
  };
  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    const { offsetX, offsetY } = event.nativeEvent;
    fingers.current.set(event.pointerId, [offsetX, offsetY]);
    drag.current = fingers.current.size > 1 ? null : { at: [offsetX, offsetY], moved: 0 };
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const spot = [event.nativeEvent.offsetX, event.nativeEvent.offsetY] as const;
    const pinch = pinchOf(fingers.current, event.pointerId, spot);
    if (pinch !== null) {
      fingers.current.set(event.pointerId, spot);
      drag.current = null;
      camera.set(pinched(camera.get(), pinch, sizeOf(event.currentTarget)));
      return;
    }
    const held = drag.current;
    if (held === null) {
      onHover(found(spot, REACH), spot, sizeOf(event.currentTarget));
      return;
    }
    const by = [spot[0] - held.at[0], spot[1] - held.at[1]] as const;
    drag.current = { at: [...spot], moved: held.moved + Math.hypot(...by) };
    const move = inSpace && !event.shiftKey ? turned : shifted;
    camera.set(move(camera.get(), by, sizeOf(canvas.current!)));
  };
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>) => {
    fingers.current.delete(event.pointerId);
    const wasClick = drag.current !== null && drag.current.moved < CLICK;
    drag.current = null;
    const row = wasClick ? found([event.nativeEvent.offsetX, event.nativeEvent.offsetY], REACH) : null;
    if (row !== null) onChoose(row);
  };
  const onPointerCancel = (event: PointerEvent<HTMLCanvasElement>) => {
    fingers.current.delete(event.pointerId);
    drag.current = null;
  };
  const onPointerLeave = (event: PointerEvent<HTMLCanvasElement>) => onHover(null, [0, 0], sizeOf(event.currentTarget));
  const onKeyDown = (event: KeyboardEvent) => {
    const size = sizeOf(canvas.current!);
    const step = KEYS[event.key];
    if (step !== undefined) {
      const move = inSpace && !event.shiftKey ? turned : shifted;
      camera.set(move(camera.get(), step, size));
    } else if (event.key === '+' || event.key === '=') camera.set(zoomed(camera.get(), ZOOM_STEP));
    else if (event.key === '-') camera.set(zoomed(camera.get(), 1 / ZOOM_STEP));
    else if (event.key === '0') camera.set(inSpace ? FIRST_CAMERA_IN_SPACE : FIRST_CAMERA);
    else if (event.key === 'Enter') {
      const row = found([size.width / 2, size.height / 2], Number.POSITIVE_INFINITY);
      if (row !== null) onChoose(row);
    } else return;
    event.preventDefault();
  };
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onPointerLeave, onKeyDown };
}

type Spot = readonly [x: number, y: number];

/** How two fingers move when one of them comes to a spot; null where there are not two. */
function pinchOf(fingers: ReadonlyMap<number, Spot>, moved: number, spot: Spot): Pinch | null {
  const was = fingers.get(moved);
  const other = [...fingers].find(([id]) => id !== moved)?.[1];
  if (was === undefined || other === undefined) return null;
  return { from: [was, other], to: [spot, other] };
}
