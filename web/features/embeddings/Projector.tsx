import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { createStore } from '#web/lib/store.ts';
import { AgreementPanel } from './AgreementPanel.tsx';
import { type Camera, FIRST_CAMERA, FIRST_CAMERA_IN_SPACE, zoomed } from './camera.ts';
import { Clouds } from './Clouds.tsx';
import { itemFileOf } from './embeddingFiles.ts';
import type { EmbeddingSource, ItemSource, Neighbours } from './embeddingMessages.ts';
import type { EmbeddingsSearch } from './embeddingsSearch.ts';
import { ItemList, valueText } from './ItemList.tsx';
import { ItemSourceChoice } from './ItemSourceChoice.tsx';
import { namingColumn } from './itemTable.ts';
import { Legend } from './Legend.tsx';
import { NeighbourPanel } from './NeighbourPanel.tsx';
import { chosenColor, colorChoices, ITEM_PREFIX, rowColoring } from './rowColoring.ts';
import { rowInCloud, rowInFirst } from './rowsOfClouds.ts';
import { useEmbeddings } from './useEmbeddings.ts';
import { useItems } from './useItems.ts';
import { useMap } from './useMap.ts';

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
  const colorings = useMemo(
    () =>
      loaded === null
        ? []
        : loaded.rows.map((rows, cloud) =>
            rowColoring(color, { loaded, items: items.table, rows, firstRow: (row) => rowInFirst(loaded, cloud, row) }),
          ),
    [loaded, items.table, color],
  );
  const legend = colorings[0]?.legend ?? [];
  const brightCodes = useMemo(() => {
    const entry = colorings[0]?.legend.find(({ label }) => label === bright);
    return entry === undefined ? null : new Set(entry.codes);
  }, [colorings, bright]);
  const naming = useMemo(() => (items.table === null ? null : namingColumn(items.table)), [items.table]);
  const nameOf = useCallback((row: number) => String(naming?.values[row] ?? `Item ${row}`), [naming]);
  const nameIn = (cloud: number, row: number): string => {
    const first = loaded === null ? row : rowInFirst(loaded, cloud, row);
    return first < 0 ? (loaded?.match?.secondNames[row] ?? `Item ${row}`) : nameOf(first);
  };

  if (error !== null) return <ErrorNotice title="The embeddings cannot be shown." error={error} />;
  if (loaded === null) {
    if (progress === null || progress.done === 0) return <Loading what="embeddings" />;
    return <Doing {...progress} />;
  }
  const places = map.places ?? loaded.places;
  const wanted = search.row === undefined || search.row === '' ? Number.NaN : Number(search.row);
  const chosen = Number.isInteger(wanted) && wanted >= 0 && wanted < loaded.rows[0]! ? wanted : null;
  const choose = (row: number | null) => onSearch({ row: row === null ? undefined : String(row) });
  const columns = items.table?.columns.filter((column) => column !== naming) ?? [];
  const factsOf = (row: number): (readonly [string, string])[] => [
    ['Row', formatCount(row)],
    ...columns.map(({ name, values }) => [name, valueText(values[row] ?? null)] as const),
    ['Length', valueText(loaded.lengths[row] ?? null)],
    ['Cluster', String((loaded.clusters[row] ?? 0) + 1)],
  ];
  const label = choices.find(({ value }) => value === color)?.label ?? '';
  const colorText = (row: number): string | null => {
    const fact = factsOf(row).find(([name]) => name === (color.startsWith(ITEM_PREFIX) ? label : SHOWN_FACT[color]));
    return fact === undefined ? null : `${fact[0]} ${fact[1]}`;
  };
  return (
    <>
      <div className="row">
        <Segments
          label="Projection"
          options={[
            { value: 'pca', label: 'PCA' },
            { value: 'umap', label: 'UMAP' },
          ]}
          value={search.method ?? 'pca'}
          onChange={(method) => onSearch({ method: method === 'umap' ? 'umap' : undefined })}
        />
        <Segments
          label="Dimensions"
          options={[
            { value: '2', label: '2-D' },
            { value: '3', label: '3-D' },
          ]}
          value={search.space ?? '2'}
          onChange={(space) => onSearch({ space: space === '3' ? '3' : undefined })}
        />
        <label className="row">
          Color
          <select
            className="input"
            value={color}
            onChange={(event) => {
              setBright(null);
              onSearch({ color: event.target.value });
            }}
          >
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
        </label>
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
        <span className="row spread">
          <Button icon aria-label="Nearer" onClick={() => camera.set(zoomed(camera.get(), 1.25))}>
            +
          </Button>
          <Button icon aria-label="Farther" onClick={() => camera.set(zoomed(camera.get(), 0.8))}>
            −
          </Button>
          <Button onClick={() => camera.set(inSpace ? FIRST_CAMERA_IN_SPACE : FIRST_CAMERA)}>Show all</Button>
        </span>
      </div>
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
          <Legend legend={legend} label={label} chosen={bright} onChosen={setBright} />
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
