import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Store } from '#web/lib/store.ts';
import { type Camera, type PictureSize, projectionOf, zoomed } from './camera.ts';
import { type CloudMark, type Color, type PointCloud, pointCloud } from './pointCloud.ts';

export interface DrawnCloud {
  /** (rows, 3) */
  places: Float32Array<ArrayBuffer>;
  /** (rows, 4) */
  colors: Uint8Array<ArrayBuffer>;
  ground: Color;
  marks: readonly CloudMark[];
  inSpace: boolean;
  /** Shared by pictures that move together. */
  camera: Store<Camera>;
}

/** Draws a cloud of points on a canvas whenever something changes. Answers whether the browser cannot. */
export function useCloudDrawing(canvas: RefObject<HTMLCanvasElement | null>, props: DrawnCloud): boolean {
  const { places, colors, ground, marks, inSpace, camera } = props;
  const cloud = useRef<PointCloud | null>(null);
  const draw = useRef<() => void>(() => {});
  const latest = useRef(props);
  latest.current = props;
  const [failed, setFailed] = useState(false);
  const [restored, setRestored] = useState(0);

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
      camera.set(zoomedByWheel(camera.get(), event, sizeOf(target)));
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
  return failed;
}

function zoomedByWheel(camera: Camera, event: WheelEvent, size: PictureSize): Camera {
  const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002));
  return zoomed(camera, factor, [(2 * event.offsetX) / size.width - 1, 1 - (2 * event.offsetY) / size.height]);
}

export function sizeOf(canvas: HTMLCanvasElement): PictureSize {
  return { width: Math.max(1, canvas.clientWidth), height: Math.max(1, canvas.clientHeight) };
}

/** Smaller where there are many, larger where one looks closer. */
function sizeOfPoints(rows: number, zoom: number): number {
  const size = rows > 20_000 ? 2.5 : rows > 2_000 ? 4 : 6;
  return size * Math.min(3, Math.max(1, zoom ** 0.5));
}
