import type { RunDetail } from '#web/api/useRun.ts';
import { ArrayPreview } from '../media/ArrayPreview.tsx';
import { JsonText, PlainText } from '../media/TextContent.tsx';
import '../media/media.css';

type Artifact = RunDetail['artifacts'][number];
type Form = 'picture' | 'array' | 'json' | 'text';

const TEXT_ENDINGS = /\.(txt|log|csv|tsv|md|ya?ml|toml|ini|cfg|jsonl|py|js|mjs|ts|sh|r|jl|tex|bib|xml|diff|patch)$/i;

/** How the beginning of a file is shown; null where it is not. */
export function previewForm({ name, mediaType }: Pick<Artifact, 'name' | 'mediaType'>): Form | null {
  if (/^image\/(png|jpeg|gif|webp|svg\+xml)/.test(mediaType)) return 'picture';
  if (/\.npy$/i.test(name)) return 'array';
  if (/^application\/json\b/.test(mediaType) || /\.json$/i.test(name)) return 'json';
  if (/^text\/(?!html)/.test(mediaType) || TEXT_ENDINGS.test(name)) return 'text';
  return null;
}

/** The beginning of a file that the run left: a picture, the first numbers, the first lines. */
export function ArtifactPreview({ artifact: { name, mediaType, viewUrl } }: { artifact: Artifact }) {
  switch (previewForm({ name, mediaType })) {
    case 'picture':
      return (
        <a href={viewUrl} target="_blank" rel="noreferrer" aria-label={`Open ${name}`}>
          <img className="artifact-picture" src={viewUrl} alt={name} decoding="async" />
        </a>
      );
    case 'array':
      return <ArrayPreview url={viewUrl} />;
    case 'json':
      return <JsonText url={viewUrl} />;
    case 'text':
      return <PlainText url={viewUrl} />;
    default:
      return null;
  }
}
