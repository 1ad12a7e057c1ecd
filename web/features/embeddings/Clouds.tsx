import { useMemo, useState, useId, useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { readChartColors } from '#web/charts/chartColors.ts';
import { useTheme } from '#web/components/useTheme.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
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
import type { Neighbours } from './embeddingMessages.ts';
import { type DrawnCloud, useCloudDrawing, sizeOf } from './useCloudDrawing.ts';
import { type Coloring, colorOf, paintedRows } from './pointColors.ts';
import type { CloudMark } from './pointCloud.ts';

interface MovedCloud extends Pick<DrawnCloud, 'places' | 'inSpace' | 'camera'> {
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
function useCloudMoves(canvas: RefObject<HTMLCanvasElement | null>, props: MovedCloud) {
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

interface PointCloudViewProps extends DrawnCloud, MovedCloud {
  /** What the picture is, aloud. */
  label: string;
}

/** A cloud of points that is dragged, zoomed and, in space, turned, by pointer or keyboard. */
function PointCloudView(props: PointCloudViewProps) {
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

export interface CloudsProps {
  /** One for each embedding. */
  places: readonly Float32Array<ArrayBuffer>[];
  runLabels: readonly string[];
  colorings: readonly Coloring[];
  /** Codes that stay bright, of each coloring; null: all. */
  bright: ReadonlySet<number> | null;
  inSpace: boolean;
  camera: Store<Camera>;
  /** Row of the first embedding. */
  chosen: number | null;
  /** Of each cloud, in its own rows. */
  near: readonly Neighbours[];
  /** The row of a cloud that is the same item as one of the first; -1: none. */
  rowIn(cloud: number, row: number): number;
  /** The row of the first that is the same item as one of a cloud; -1: none. */
  rowOf(cloud: number, row: number): number;
  nameIn(cloud: number, row: number): string;
  /** What the color of a row of the first says. */
  colorText(row: number): string | null;
  onChoose(row: number): void;
}

interface Hovered {
  /** Of the cloud. */
  row: number;
  cloud: number;
  spot: readonly [number, number];
  /** In the right half, where there is room at the left alone. */
  atRight: boolean;
}

/** One or two clouds of points beside each other, which move together. */
export function Clouds(props: CloudsProps) {
  const { places, runLabels, colorings, bright, inSpace, camera, chosen, near } = props;
  const { rowIn, rowOf, nameIn, colorText, onChoose } = props;
  const theme = useTheme();
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const { of, surface } = readChartColors(theme);
  const ground = useMemo(() => colorOf(surface), [surface]);
  const painted = useMemo(
    () => colorings.map((coloring) => paintedRows(coloring, of, bright)),
    [colorings, bright, of],
  );
  const hoveredFirst = hovered === null ? -1 : rowOf(hovered.cloud, hovered.row);
  const marks = useMemo(
    () =>
      places.map((_, cloud): CloudMark[] => {
        const [text, accent] = [colorOf(of('--text')), colorOf(of('--accent'))];
        const own = (row: number | null) => (row === null || row < 0 ? -1 : rowIn(cloud, row));
        const chosenHere = own(chosen);
        const hoveredHere = hovered?.cloud === cloud ? hovered.row : own(hoveredFirst);
        return [
          ...Array.from(chosen === null ? [] : (near[cloud]?.rows ?? []), (row): CloudMark => {
            return { row, size: 11, look: 'ring', color: accent };
          }),
          ...(chosenHere < 0 ? [] : [{ row: chosenHere, size: 16, look: 'ring', color: text } as const]),
          ...(hoveredHere < 0 ? [] : [{ row: hoveredHere, size: 10, look: 'disc', color: text } as const]),
        ];
      }),
    [places, near, chosen, hovered, hoveredFirst, rowIn, of],
  );
  return (
    <div className="clouds">
      {places.map((points, cloud) => (
        <figure className="cloud" key={runLabels[cloud]}>
          {places.length > 1 && <figcaption>{runLabels[cloud]}</figcaption>}
          <div className="cloud-picture">
            <PointCloudView
              label={`Embedding of ${runLabels[cloud]}: ${points.length / 3} points`}
              places={points}
              colors={painted[cloud]!}
              ground={ground}
              marks={marks[cloud]!}
              inSpace={inSpace}
              camera={camera}
              onHover={(row, spot, size) => {
                if (row === null && hovered === null) return;
                setHovered(row === null ? null : { row, cloud, spot, atRight: spot[0] > size.width / 2 });
              }}
              onChoose={(row) => {
                const first = rowOf(cloud, row);
                if (first >= 0) onChoose(first);
              }}
            />
            {hovered?.cloud === cloud && (
              <div
                className={joinClasses('cloud-tip', hovered.atRight && 'cloud-tip-left')}
                style={{ left: hovered.spot[0], top: hovered.spot[1] }}
              >
                <strong>{nameIn(cloud, hovered.row)}</strong>
                {hoveredFirst < 0 ? <span>not in {runLabels[0]}</span> : <span>{colorText(hoveredFirst)}</span>}
              </div>
            )}
          </div>
        </figure>
      ))}
    </div>
  );
}
