import { useState, useMemo, useEffect } from 'react';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import type { EmbeddingSource, Neighbours, ItemSource, LoadedEmbeddings } from './embeddingMessages.ts';
import type { EmbeddingsSearch } from './embeddingsSearch.ts';
import { ItemList } from './ItemList.tsx';
import { ProjectorPicture } from './ProjectorPicture.tsx';
import { AgreementPanel } from './AgreementPanel.tsx';
import { NeighbourPanel } from './NeighbourPanel.tsx';
import { rowInFirst } from './rowsOfClouds.ts';
import { useEmbeddings, type Embeddings } from './useEmbeddings.ts';
import { useRowTexts } from './useRowTexts.ts';
import { ProjectorTools } from './ProjectorTools.tsx';
import { chosenColor, colorChoices } from './rowColoring.ts';
import { itemFileOf } from './embeddingFiles.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import type { ItemTable } from './itemTable.ts';
import { usePlaces } from './usePlaces.ts';

interface ProjectorSideProps {
  loaded: LoadedEmbeddings;
  embeddings: Pick<ReturnType<typeof useEmbeddings>, 'agreement' | 'near'>;
  runLabels: readonly string[];
  /** Whether there are two. */
  isCompared: boolean;
  texts: ReturnType<typeof useRowTexts>;
  /** The row that is chosen, of the first embedding. */
  chosen: number | null;
  doubt(by: 'number' | 'id'): string | null;
  onNear(lists: readonly Neighbours[]): void;
  onChoose(row: number | null): void;
}

/** Beside the picture: how far two embeddings agree, and what is near the item that is chosen. */
function ProjectorSide(props: ProjectorSideProps) {
  const { loaded, embeddings, runLabels, texts, chosen, doubt } = props;
  return (
    <div className="stack projector-side">
      {props.isCompared && (
        <AgreementPanel
          loaded={loaded}
          agreement={embeddings.agreement}
          doubt={doubt(loaded.match === null ? 'number' : 'id')}
        />
      )}
      {chosen === null ? (
        <p className="panel panel-body muted">Choose a point, or an item of the table below, to see what is near it.</p>
      ) : (
        <NeighbourPanel
          row={chosen}
          runLabels={runLabels}
          nameOf={texts.nameOf}
          nameIn={texts.nameIn}
          rowOf={(cloud, row) => rowInFirst(loaded, cloud, row)}
          near={embeddings.near}
          onNear={props.onNear}
          onChoose={props.onChoose}
          facts={texts.factsOf(chosen)}
        />
      )}
    </div>
  );
}

interface ItemSourceChoiceProps {
  /** Artifacts of the run that may tell of items. */
  files: readonly { name: string }[];
  /** The one that is read, empty for none; null while a file of the reader's own is. */
  current: string | null;
  ownName: string | null;
  onFile(name: string): void;
  onOwn(source: ItemSource | null): void;
}

const OWN = ' own';

/** From where the names and attributes of the items come: an artifact of the run, or a file of the reader's own. */
function ItemSourceChoice({ files, current, ownName, onFile, onOwn }: ItemSourceChoiceProps) {
  return (
    <>
      <label className="row">
        Items
        <select
          className="input"
          value={current ?? OWN}
          onChange={(event) => onFile(event.target.value === '' ? 'none' : event.target.value)}
        >
          <option value="">Row numbers alone</option>
          {ownName !== null && <option value={OWN}>{ownName}</option>}
          {files.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="button" title="CSV, TSV, JSON or JSON-lines with a row an item; it stays in this browser">
        Open a file …
        <input
          className="visually-hidden"
          type="file"
          accept=".csv,.tsv,.json,.jsonl,.ndjson"
          aria-label="Open a file of items"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file !== undefined) void file.text().then((text) => onOwn({ name: file.name, text }));
          }}
        />
      </label>
    </>
  );
}

interface Items {
  table: ItemTable | null;
  error: string | null;
}

/** What a source tells of the items, one row for each of `rows`; nothing where there is no source. */
function useItems({ loaded, readItems }: Embeddings, source: ItemSource | null): Items {
  const [items, setItems] = useState<Items>({ table: null, error: null });
  const rows = loaded?.rows[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the thread is asked once for each source
  useEffect(() => {
    setItems({ table: null, error: null });
    if (source === null || rows === undefined) return;
    let over = false;
    const set = (next: Items) => !over && setItems(next);
    readItems(source).then(
      (table) => {
        if (table.rowCount === rows) return set({ table, error: null });
        const found = `${source.name} has ${formatCount(table.rowCount)} rows`;
        return set({
          table: null,
          error: `${found}; expected ${formatCount(rows)}, one for each row of the embedding.`,
        });
      },
      (error: unknown) => set({ table: null, error: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      over = true;
    };
  }, [source, rows]);
  return items;
}

/** What is known of the items: from a file of the reader, or else from one of the run. */
function useItemSource(
  embeddings: ReturnType<typeof useEmbeddings>,
  itemFiles: readonly { name: string; url: string }[],
  search: Pick<EmbeddingsSearch, 'items' | 'artifact'>,
) {
  const [own, setOwn] = useState<ItemSource | null>(null);
  const fromRun = useMemo(
    () => itemFileOf(itemFiles, search.items, search.artifact),
    [itemFiles, search.items, search.artifact],
  );
  return { items: useItems(embeddings, own ?? fromRun), own, setOwn, fromRun };
}

/** What is being computed, and how far it is. */
function Doing({ text, done }: { text: string; done: number }) {
  return (
    <span className="row" role="status">
      {text} <ProgressBar fraction={done} label={text} />
    </span>
  );
}

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
  const { loaded, error, progress } = embeddings;
  const placed = usePlaces(sources, loaded, search);
  const { map, places, inSpace } = placed;
  const { items, own, setOwn, fromRun } = useItemSource(embeddings, itemFiles, search);
  const [bright, setBright] = useState<string | null>(null);
  const [lists, setLists] = useState<readonly Neighbours[]>([]);
  const choices = colorChoices(items.table);
  const color = chosenColor(search.color, choices);
  const texts = useRowTexts(loaded, items.table);

  if (error !== null) return <ErrorNotice title="The embeddings cannot be shown." error={error} />;
  if (loaded === null) {
    if (progress === null || progress.done === 0) return <Loading what="embeddings" />;
    return <Doing {...progress} />;
  }
  const chosen = chosenRow(search.row, loaded.rows[0]!);
  const choose = (row: number | null) => onSearch({ row: row === null ? undefined : String(row) });
  return (
    <>
      <ProjectorTools
        {...{ search, onSearch, color, choices, camera: placed.camera }}
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
        <ProjectorPicture
          {...{ loaded, placed, runLabels, texts, choices, color, bright, chosen }}
          items={items.table}
          near={lists}
          onBright={setBright}
          onChoose={choose}
        />
        <ProjectorSide
          {...{ loaded, embeddings, runLabels, texts, chosen, doubt }}
          isCompared={sources.length > 1}
          onNear={setLists}
          onChoose={choose}
        />
      </div>
      <ItemList
        rows={loaded.rows[0]!}
        nameOf={texts.nameOf}
        columns={texts.columns}
        places={places[0]!}
        inSpace={inSpace}
        chosen={chosen}
        onChoose={choose}
      />
    </>
  );
}

/** The row that an address names, of so many; null where it names none. */
function chosenRow(wanted: string | undefined, rows: number): number | null {
  const row = wanted === undefined || wanted === '' ? Number.NaN : Number(wanted);
  return Number.isInteger(row) && row >= 0 && row < rows ? row : null;
}
