import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import type { Store } from '#web/lib/store.ts';
import {
  type Camera,
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
import { type CloudMark, type Color, type PointCloud, pointCloud } from './pointCloud.ts';

export interface PointCloudViewProps {
  /** What the picture is, aloud. */
  label: string;
  /** (rows, 3) */
  places: Float32Array<ArrayBuffer>;
  /** (rows, 4) */
  colors: Uint8Array<ArrayBuffer>;
  ground: Color;
  marks: readonly CloudMark[];
  inSpace: boolean;
  /** Shared by pictures that move together. */
  camera: Store<Camera>;
  /** The point under the pointer, where that is in the picture, and how large the picture is. */
  onHover(row: number | null, spot: readonly [x: number, y: number], size: PictureSize): void;
  onChoose(row: number): void;
}

/** Farther than this from a point, in pixels, the pointer is not on it. */
const REACH = 12;
const KEY_STEP = 40;
const ZOOM_STEP = 1.25;
/** A pointer that moved less has clicked. */
const CLICK = 4;

/** A cloud of points that is dragged, zoomed and, in space, turned, by pointer or keyboard. */
export function PointCloudView(props: PointCloudViewProps) {
  const { label, places, colors, ground, marks, inSpace, camera, onHover, onChoose } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const cloud = useRef<PointCloud | null>(null);
  const draw = useRef<() => void>(() => {});
  const latest = useRef(props);
  latest.current = props;
  const drag = useRef<{ at: [number, number]; moved: number } | null>(null);
  const fingers = useRef(new Map<number, Spot>());
  const [failed, setFailed] = useState(false);
  const [restored, setRestored] = useState(0);
  const hint = useId();

  // biome-ignore lint/correctness/useExhaustiveDependencies: begun anew when the browser gives the context back
  useEffect(() => {
    const target = canvas.current;
    if (target === null) return;
    const made = pointCloud(target);
    cloud.current = made;
    setFailed(made === null);
    if (made === null) return;
    let frame = 0;
    draw.current = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        const { camera: from, inSpace: deep, ground: behind, marks: marked, places: points } = latest.current;
        const projection = projectionOf(from.get(), sizeOf(target));
        const pointSize = sizeOfPoints(points.length / 3, from.get().zoom);
        made.draw({ projection, inSpace: deep, ground: behind, marks: marked, pointSize });
      });
    };
    const fit = () => {
      const ratio = window.devicePixelRatio || 1;
      target.width = Math.max(1, Math.round(target.clientWidth * ratio));
      target.height = Math.max(1, Math.round(target.clientHeight * ratio));
      draw.current();
    };
    const observer = new ResizeObserver(fit);
    observer.observe(target);
    const lost = (event: Event) => event.preventDefault();
    const back = () => setRestored((count) => count + 1);
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const size = sizeOf(target);
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002));
      const at = [(2 * event.offsetX) / size.width - 1, 1 - (2 * event.offsetY) / size.height] as const;
      camera.set(zoomed(camera.get(), factor, at));
    };
    target.addEventListener('webglcontextlost', lost);
    target.addEventListener('webglcontextrestored', back);
    target.addEventListener('wheel', wheel, { passive: false });
    const stop = camera.subscribe(() => draw.current());
    return () => {
      stop();
      observer.disconnect();
      target.removeEventListener('webglcontextlost', lost);
      target.removeEventListener('webglcontextrestored', back);
      target.removeEventListener('wheel', wheel);
      cancelAnimationFrame(frame);
      draw.current = () => {};
      made.free();
    };
  }, [camera, restored]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new context holds nothing
  useEffect(() => {
    cloud.current?.setPlaces(places);
    draw.current();
  }, [places, restored]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new context holds nothing
  useEffect(() => {
    cloud.current?.setColors(colors);
    draw.current();
  }, [colors, restored]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn is read when it is
  useEffect(() => draw.current(), [marks, ground, inSpace]);

  const found = (spot: readonly [number, number], reach: number): number | null => {
    const size = sizeOf(canvas.current!);
    return rowAt(places, projectionOf(camera.get(), size), { spot, size, reach });
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
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const { offsetX, offsetY } = event.nativeEvent;
          fingers.current.set(event.pointerId, [offsetX, offsetY]);
          drag.current = fingers.current.size > 1 ? null : { at: [offsetX, offsetY], moved: 0 };
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={(event) => {
          fingers.current.delete(event.pointerId);
          drag.current = null;
        }}
        onPointerLeave={(event) => onHover(null, [0, 0], sizeOf(event.currentTarget))}
        onKeyDown={onKeyDown}
      />
      <span id={hint} className="visually-hidden">
        {inSpace ? 'Arrows turn the picture, with Shift they move it' : 'Arrows move the picture'}, plus and minus zoom,
        0 shows all, Enter chooses the item in the middle. The table below lists all items.
      </span>
    </>
  );
}

type Spot = readonly [x: number, y: number];

/** How two fingers move when one of them comes to a spot; null where there are not two. */
function pinchOf(fingers: ReadonlyMap<number, Spot>, moved: number, spot: Spot): Pinch | null {
  const was = fingers.get(moved);
  const other = [...fingers].find(([id]) => id !== moved)?.[1];
  if (was === undefined || other === undefined) return null;
  return { from: [was, other], to: [spot, other] };
}

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-KEY_STEP, 0],
  ArrowRight: [KEY_STEP, 0],
  ArrowUp: [0, -KEY_STEP],
  ArrowDown: [0, KEY_STEP],
};

function sizeOf(canvas: HTMLCanvasElement): PictureSize {
  return { width: Math.max(1, canvas.clientWidth), height: Math.max(1, canvas.clientHeight) };
}

/** Smaller where there are many, larger where one looks closer. */
function sizeOfPoints(rows: number, zoom: number): number {
  const size = rows > 20_000 ? 2.5 : rows > 2_000 ? 4 : 6;
  return size * Math.min(3, Math.max(1, zoom ** 0.5));
}
