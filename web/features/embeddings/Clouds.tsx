import { useMemo, useState } from 'react';
import { readChartColors } from '#web/charts/chartColors.ts';
import { useTheme } from '#web/components/useTheme.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
import type { Store } from '#web/lib/store.ts';
import type { Camera } from './camera.ts';
import type { Neighbours } from './embeddingMessages.ts';
import { PointCloudView } from './PointCloudView.tsx';
import { type Coloring, colorOf, paintedRows } from './pointColors.ts';
import type { CloudMark } from './pointCloud.ts';

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
