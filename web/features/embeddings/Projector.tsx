import { useState } from 'react';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { Doing } from './Doing.tsx';
import type { EmbeddingSource, Neighbours } from './embeddingMessages.ts';
import type { EmbeddingsSearch } from './embeddingsSearch.ts';
import { ItemList } from './ItemList.tsx';
import { ItemSourceChoice } from './ItemSourceChoice.tsx';
import { ProjectorPicture } from './ProjectorPicture.tsx';
import { ProjectorSide } from './ProjectorSide.tsx';
import { ProjectorTools } from './ProjectorTools.tsx';
import { chosenColor, colorChoices } from './rowColoring.ts';
import { useEmbeddings } from './useEmbeddings.ts';
import { useItemSource } from './useItemSource.ts';
import { usePlaces } from './usePlaces.ts';
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
