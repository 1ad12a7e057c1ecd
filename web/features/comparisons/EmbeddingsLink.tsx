import { Link } from '@tanstack/react-router';
import type { ComparedRun } from './useComparison.ts';
import { useRunFiles } from '#web/features/embeddings/useRunFiles.ts';
import { embeddingFile } from '../embeddings/embeddingFiles.ts';

/** Leads to the embeddings of the first run beside those of the next with another configuration, where both left some. */
export function EmbeddingsLink({ runs }: { runs: readonly ComparedRun[] }) {
  const [first] = runs;
  const second = runs.find(({ configuration }) => configuration.hash !== first?.configuration.hash) ?? runs[1];
  const { data: ofFirst } = useRunFiles(second === undefined || first === undefined ? null : first.id);
  const { data: ofSecond } = useRunFiles(second?.id ?? null);
  if (!ofFirst || !ofSecond) return null;
  const file = embeddingFile(ofFirst.artifacts, undefined);
  const same = file === null ? null : embeddingFile(ofSecond.artifacts, file.name);
  if (file === null || same === null) return null;
  return (
    <Link
      className="button"
      to="/embeddings"
      search={{ run: String(ofFirst.number), artifact: file.name, with: String(ofSecond.number) }}
      title={`${file.name} of #${ofFirst.number} beside that of #${ofSecond.number}`}
    >
      Embeddings
    </Link>
  );
}
