/** From where points are looked at. Those within 1 of the origin fill the picture when nothing is moved. */
export interface Camera {
  zoom: number;
  /** Of the origin, as shares of half the picture. */
  shift: readonly [x: number, y: number];
  /** Radians about the upright axis, and about the one that lies to the right. */
  turn: readonly [yaw: number, pitch: number];
}

export const FIRST_CAMERA: Camera = { zoom: 1, shift: [0, 0], turn: [0, 0] };
/** In space one sees depth only from aside. */
export const FIRST_CAMERA_IN_SPACE: Camera = { zoom: 0.85, shift: [0, 0], turn: [0.6, 0.35] };

export interface PictureSize {
  width: number;
  height: number;
}

/** Room at the edge. */
const FILLED = 0.92;
const [LEAST_ZOOM, MOST_ZOOM] = [0.2, 200];

/** How a place gets to the screen: turned by `turn` (3, 3) row-major, then stretched and shifted; -1 to 1, up is positive. */
export interface Projection {
  turn: Float32Array;
  stretch: [number, number];
  shift: readonly [number, number];
}

export function projectionOf({ zoom, shift, turn: [yaw, pitch] }: Camera, { width, height }: PictureSize): Projection {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const side = FILLED * zoom * Math.min(width, height);
  return {
    turn: Float32Array.of(cy, 0, sy, sp * sy, cp, -sp * cy, -cp * sy, sp, cp * cy),
    stretch: [side / width, side / height],
    shift,
  };
}

/** Moved by so many pixels; down is positive. */
export function shifted(camera: Camera, [x, y]: readonly [number, number], { width, height }: PictureSize): Camera {
  return { ...camera, shift: [camera.shift[0] + (2 * x) / width, camera.shift[1] - (2 * y) / height] };
}

/** Turned by a drag of so many pixels: half a turn across the picture. */
export function turned(camera: Camera, [x, y]: readonly [number, number], { width, height }: PictureSize): Camera {
  const pitch = camera.turn[1] + (Math.PI * y) / height;
  return {
    ...camera,
    turn: [camera.turn[0] + (Math.PI * x) / width, Math.min(Math.PI / 2, Math.max(-Math.PI / 2, pitch))],
  };
}

/** Nearer by a factor; what lies at `[x, y]`, from -1 to 1, stays there. */
export function zoomed(camera: Camera, factor: number, [x, y]: readonly [number, number] = [0, 0]): Camera {
  const zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, camera.zoom * factor));
  const by = zoom / camera.zoom;
  return { ...camera, zoom, shift: [x + (camera.shift[0] - x) * by, y + (camera.shift[1] - y) * by] };
}

/** Two fingers before and after they moved, in pixels from the top left. */
export interface Pinch {
  from: readonly [Spot, Spot];
  to: readonly [Spot, Spot];
}
type Spot = readonly [x: number, y: number];

/** Fingers that touch nearly one spot would zoom without bounds. */
const LEAST_APART = 8;

/** Zoomed as two fingers part and moved as their middle does: what lies between them stays there. */
export function pinched(camera: Camera, { from, to }: Pinch, size: PictureSize): Camera {
  const apart = ([a, b]: readonly [Spot, Spot]) => Math.max(LEAST_APART, Math.hypot(a[0] - b[0], a[1] - b[1]));
  const middle = ([a, b]: readonly [Spot, Spot]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] as const;
  const [was, is] = [middle(from), middle(to)];
  const moved = shifted(camera, [is[0] - was[0], is[1] - was[1]], size);
  const spot = [(2 * is[0]) / size.width - 1, 1 - (2 * is[1]) / size.height] as const;
  return zoomed(moved, apart(to) / apart(from), spot);
}

/** Where a place (at `3 row` of `places`) is on the screen, from -1 to 1. */
export function onScreen(places: Float32Array, row: number, { turn, stretch, shift }: Projection): [number, number] {
  const [x, y, z] = [places[3 * row]!, places[3 * row + 1]!, places[3 * row + 2]!];
  return [
    (turn[0]! * x + turn[1]! * y + turn[2]! * z) * stretch[0] + shift[0],
    (turn[3]! * x + turn[4]! * y + turn[5]! * z) * stretch[1] + shift[1],
  ];
}

/** The row nearest to a spot of the picture, in pixels from its top left, no farther than `reach`; of equals that in front. */
export function rowAt(
  places: Float32Array,
  projection: Projection,
  { spot, size, reach }: { spot: readonly [number, number]; size: PictureSize; reach: number },
): number | null {
  let [found, best, depth] = [-1, reach * reach, Number.NEGATIVE_INFINITY];
  const { turn } = projection;
  for (let row = 0; row < places.length / 3; row++) {
    const [x, y] = onScreen(places, row, projection);
    const far = (((x + 1) / 2) * size.width - spot[0]) ** 2 + (((1 - y) / 2) * size.height - spot[1]) ** 2;
    if (far > best) continue;
    const front = turn[6]! * places[3 * row]! + turn[7]! * places[3 * row + 1]! + turn[8]! * places[3 * row + 2]!;
    if (far === best && front <= depth) continue;
    [found, best, depth] = [row, far, front];
  }
  return found < 0 ? null : found;
}
