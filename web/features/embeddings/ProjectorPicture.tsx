import { Clouds } from './Clouds.tsx';
import type { LoadedEmbeddings, Neighbours } from './embeddingMessages.ts';
import type { ItemTable } from './itemTable.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import type { Coloring } from './pointColors.ts';
import { type ColorChoice, ITEM_PREFIX, rowColoring } from './rowColoring.ts';
import { rowInCloud, rowInFirst } from './rowsOfClouds.ts';
import { useMemo } from 'react';
import type { usePlaces } from './usePlaces.ts';
import type { useRowTexts } from './useRowTexts.ts';

interface LegendProps {
  legend: Coloring['legend'];
  /** By what the points are colored. */
  label: string;
  chosen: string | null;
  onChosen(label: string | null): void;
}

/** The colors and what they mean; pressing one leaves its points alone bright. */
function Legend({ legend, label, chosen, onChosen }: LegendProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line
    <div className="cloud-legend" role="group" aria-label={`Colors: ${label}`}>
      {legend.map((entry) => (
        <button
          key={entry.label}
          type="button"
          className="cloud-legend-entry"
          aria-pressed={chosen === entry.label}
          title="Show these alone"
          onClick={() => onChosen(chosen === entry.label ? null : entry.label)}
        >
          <span className="cloud-swatch" style={{ background: `var(${entry.variable})` }} />
          {entry.label} <span className="muted">{formatCount(entry.count)}</span>
        </button>
      ))}
    </div>
  );
}

const NONE: readonly Coloring[] = [];

/** The colors of each embedding's rows by a choice, and the codes of the entry of the legend that is to be bright. */
function useColorings(
  loaded: LoadedEmbeddings | null,
  items: ItemTable | null,
  { color, bright }: { color: string; bright: string | null },
) {
  const colorings = useMemo(
    () =>
      loaded?.rows.map((rows, cloud) =>
        rowColoring(color, { loaded, items, rows, firstRow: (row) => rowInFirst(loaded, cloud, row) }),
      ) ?? NONE,
    [loaded, items, color],
  );
  const brightCodes = useMemo(() => {
    const entry = colorings[0]?.legend.find(({ label }) => label === bright);
    return entry === undefined ? null : new Set(entry.codes);
  }, [colorings, bright]);
  return { colorings, brightCodes };
}

export interface ProjectorPictureProps {
  loaded: LoadedEmbeddings;
  placed: ReturnType<typeof usePlaces>;
  runLabels: readonly string[];
  items: ItemTable | null;
  texts: ReturnType<typeof useRowTexts>;
  choices: readonly ColorChoice[];
  /** By what the points are colored, one of the choices. */
  color: string;
  /** The entry of the legend whose points alone are bright; null: all. */
  bright: string | null;
  onBright(entry: string | null): void;
  /** The row that is chosen, of the first embedding. */
  chosen: number | null;
  /** What is near it, in each cloud. */
  near: readonly Neighbours[];
  onChoose(row: number): void;
}

/** One or two clouds of points, with their colors and what the axes are. */
export function ProjectorPicture(props: ProjectorPictureProps) {
  const { loaded, placed, runLabels, items, texts, choices, color, bright } = props;
  const { places, inSpace, map, camera } = placed;
  const { colorings, brightCodes } = useColorings(loaded, items, { color, bright });
  const label = choices.find(({ value }) => value === color)?.label ?? '';
  const colorText = (row: number): string | null => {
    const shown = color.startsWith(ITEM_PREFIX) ? label : SHOWN_FACT[color];
    const fact = texts.factsOf(row).find(([name]) => name === shown);
    return fact === undefined ? null : `${fact[0]} ${fact[1]}`;
  };
  return (
    <div className="panel cloud-panel">
      <Clouds
        {...{ places, runLabels, colorings, inSpace, camera, colorText }}
        bright={brightCodes}
        chosen={props.chosen}
        near={props.near}
        rowIn={(cloud, row) => rowInCloud(loaded, cloud, row)}
        rowOf={(cloud, row) => rowInFirst(loaded, cloud, row)}
        nameIn={texts.nameIn}
        onChoose={props.onChoose}
      />
      <Legend legend={colorings[0]?.legend ?? []} label={label} chosen={bright} onChosen={props.onBright} />
      <p className="muted cloud-note">{describe(loaded.explained, map.places !== null, inSpace)}</p>
    </div>
  );
}

const SHOWN_FACT: Readonly<Record<string, string>> = { cluster: 'Cluster', length: 'Length', row: 'Row' };

/** What the axes are. */
function describe(explained: readonly number[], isMap: boolean, inSpace: boolean): string {
  if (isMap) return 'UMAP of the 15 nearest by cosine: who is near whom counts, distances between groups do not.';
  const shares = explained.slice(0, inSpace ? 3 : 2).map((share) => `${(100 * share).toFixed(1)} %`);
  return `Principal components: ${shares.join(', ')} of the variance.`;
}
