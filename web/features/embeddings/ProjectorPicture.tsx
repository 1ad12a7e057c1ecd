import { Clouds } from './Clouds.tsx';
import type { LoadedEmbeddings, Neighbours } from './embeddingMessages.ts';
import type { ItemTable } from './itemTable.ts';
import { Legend } from './Legend.tsx';
import { type ColorChoice, ITEM_PREFIX } from './rowColoring.ts';
import { rowInCloud, rowInFirst } from './rowsOfClouds.ts';
import { useColorings } from './useColorings.ts';
import type { usePlaces } from './usePlaces.ts';
import type { useRowTexts } from './useRowTexts.ts';

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
