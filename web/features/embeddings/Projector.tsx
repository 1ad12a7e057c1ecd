import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { createStore } from '#web/lib/store.ts';
import { AgreementPanel } from './AgreementPanel.tsx';
import { type Camera, FIRST_CAMERA, FIRST_CAMERA_IN_SPACE } from './camera.ts';
import { Clouds } from './Clouds.tsx';
import { itemFileOf } from './embeddingFiles.ts';
import type { EmbeddingSource, ItemSource, Neighbours } from './embeddingMessages.ts';
import type { EmbeddingsSearch } from './embeddingsSearch.ts';
import { ItemList } from './ItemList.tsx';
import { ItemSourceChoice } from './ItemSourceChoice.tsx';
import { Legend } from './Legend.tsx';
import { NeighbourPanel } from './NeighbourPanel.tsx';
import { ProjectorTools } from './ProjectorTools.tsx';
import { chosenColor, colorChoices, ITEM_PREFIX } from './rowColoring.ts';
import { rowInCloud, rowInFirst } from './rowsOfClouds.ts';
import { useColorings } from './useColorings.ts';
import { useEmbeddings } from './useEmbeddings.ts';
import { useItems } from './useItems.ts';
import { useMap } from './useMap.ts';
import { useRowTexts } from './useRowTexts.ts';

export interface ProjectorProps {
  /** One or two. */
  sources: readonly EmbeddingSource[];
  runLabels: readonly string[];
  /** Artifacts of the first run that may be tables of items. */
  itemFiles: readonly { name: string; url: string }[];
  /** Why rows of the same number, or of the same id, may be different items. */
  doubt(by: 'number' | 'id'): string | null;
  search: EmbeddingsSearch;
  onSearch(change: Partial<EmbeddingsSearch>): void;
}

/** Embeddings as points: their picture, what is near what, and how far two of them agree. */
export function Projector({ sources, runLabels, itemFiles, doubt, search, onSearch }: ProjectorProps) {
  const embeddings = useEmbeddings(sources);
  const { loaded, error, progress, near, agreement } = embeddings;
  const inSpace = search.space === '3';
  const wantsMap = search.method === 'umap' && loaded !== null;
  const map = useMap(wantsMap ? sources : null, loaded?.match?.pairs ?? null, inSpace ? 3 : 2);
  const camera = useRef(createStore<Camera>(FIRST_CAMERA)).current;
  useEffect(() => camera.set(inSpace ? FIRST_CAMERA_IN_SPACE : FIRST_CAMERA), [camera, inSpace]);
  const [own, setOwn] = useState<ItemSource | null>(null);
  const fromRun = useMemo(
    () => itemFileOf(itemFiles, search.items, search.artifact),
    [itemFiles, search.items, search.artifact],
  );
  const items = useItems(embeddings, own ?? fromRun);
  const [bright, setBright] = useState<string | null>(null);
  const [lists, setLists] = useState<readonly Neighbours[]>([]);

  const choices = colorChoices(items.table);
  const color = chosenColor(search.color, choices);
  const { colorings, brightCodes } = useColorings(loaded, items.table, { color, bright });
  const { nameOf, nameIn, columns, factsOf } = useRowTexts(loaded, items.table);

  if (error !== null) return <ErrorNotice title="The embeddings cannot be shown." error={error} />;
  if (loaded === null) {
    if (progress === null || progress.done === 0) return <Loading what="embeddings" />;
    return <Doing {...progress} />;
  }
  const places = map.places ?? loaded.places;
  const wanted = search.row === undefined || search.row === '' ? Number.NaN : Number(search.row);
  const chosen = Number.isInteger(wanted) && wanted >= 0 && wanted < loaded.rows[0]! ? wanted : null;
  const choose = (row: number | null) => onSearch({ row: row === null ? undefined : String(row) });
  const label = choices.find(({ value }) => value === color)?.label ?? '';
  const colorText = (row: number): string | null => {
    const fact = factsOf(row).find(([name]) => name === (color.startsWith(ITEM_PREFIX) ? label : SHOWN_FACT[color]));
    return fact === undefined ? null : `${fact[0]} ${fact[1]}`;
  };
  return (
    <>
      <ProjectorTools
        {...{ search, onSearch, color, choices, camera }}
        onColor={(chosenAnew) => {
          setBright(null);
          onSearch({ color: chosenAnew });
        }}
      >
        <ItemSourceChoice
          files={itemFiles}
          current={own === null ? (fromRun?.name ?? '') : null}
          ownName={own?.name ?? null}
          onFile={(name) => {
            setOwn(null);
            onSearch({ items: name });
          }}
          onOwn={setOwn}
        />
      </ProjectorTools>
      {items.error !== null && <ErrorNotice title="The items cannot be read." error={items.error} />}
      {map.error !== null && <ErrorNotice title="The map cannot be made." error={map.error} />}
      {map.progress !== null && (
        <div className="row">
          <Doing {...map.progress} />
          <Button onClick={() => onSearch({ method: undefined })}>Cancel</Button>
        </div>
      )}
      <div className="projector">
        <div className="panel cloud-panel">
          <Clouds
            places={places}
            runLabels={runLabels}
            colorings={colorings}
            bright={brightCodes}
            inSpace={inSpace}
            camera={camera}
            chosen={chosen}
            near={lists}
            rowIn={(cloud, row) => rowInCloud(loaded, cloud, row)}
            rowOf={(cloud, row) => rowInFirst(loaded, cloud, row)}
            nameIn={nameIn}
            colorText={colorText}
            onChoose={choose}
          />
          <Legend legend={colorings[0]?.legend ?? []} label={label} chosen={bright} onChosen={setBright} />
          <p className="muted cloud-note">{describe(loaded.explained, map.places !== null, inSpace)}</p>
        </div>
        <div className="stack projector-side">
          {sources.length > 1 && (
            <AgreementPanel
              loaded={loaded}
              agreement={agreement}
              doubt={doubt(loaded.match === null ? 'number' : 'id')}
            />
          )}
          {chosen === null ? (
            <p className="panel panel-body muted">
              Choose a point, or an item of the table below, to see what is near it.
            </p>
          ) : (
            <NeighbourPanel
              row={chosen}
              runLabels={runLabels}
              nameOf={nameOf}
              nameIn={nameIn}
              rowOf={(cloud, row) => rowInFirst(loaded, cloud, row)}
              near={near}
              onNear={setLists}
              onChoose={choose}
              facts={factsOf(chosen)}
            />
          )}
        </div>
      </div>
      <ItemList
        rows={loaded.rows[0]!}
        nameOf={nameOf}
        columns={columns}
        places={places[0]!}
        inSpace={inSpace}
        chosen={chosen}
        onChoose={choose}
      />
    </>
  );
}

const SHOWN_FACT: Readonly<Record<string, string>> = { cluster: 'Cluster', length: 'Length', row: 'Row' };

function Doing({ text, done }: { text: string; done: number }) {
  return (
    <span className="row" role="status">
      {text} <ProgressBar fraction={done} label={text} />
    </span>
  );
}

/** What the axes are. */
function describe(explained: readonly number[], isMap: boolean, inSpace: boolean): string {
  if (isMap) return 'UMAP of the 15 nearest by cosine: who is near whom counts, distances between groups do not.';
  const shares = explained.slice(0, inSpace ? 3 : 2).map((share) => `${(100 * share).toFixed(1)} %`);
  return `Principal components: ${shares.join(', ')} of the variance.`;
}
