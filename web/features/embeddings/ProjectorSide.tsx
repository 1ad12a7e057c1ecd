import { AgreementPanel } from './AgreementPanel.tsx';
import type { LoadedEmbeddings, Neighbours } from './embeddingMessages.ts';
import { NeighbourPanel } from './NeighbourPanel.tsx';
import { rowInFirst } from './rowsOfClouds.ts';
import type { useEmbeddings } from './useEmbeddings.ts';
import type { useRowTexts } from './useRowTexts.ts';

export interface ProjectorSideProps {
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
export function ProjectorSide(props: ProjectorSideProps) {
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
