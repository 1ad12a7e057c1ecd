import { lazy, Suspense } from 'react';
import type { RunDetail } from './useRun.ts';
import { ArrayPreview } from '../media/ArrayPreview.tsx';
import { JsonText, PlainText } from '../media/TextContent.tsx';
import '../media/media.css';

type Artifact = RunDetail['artifacts'][number];
type Form = 'picture' | 'array' | 'json' | 'csv' | 'tsv' | 'text';

/** It brings the reader of CSV, which only files of that form need. */
const TablePreview = lazy(async () => ({ default: (await import('./TablePreview.tsx')).TablePreview }));

const TEXT_ENDINGS = /\.(txt|log|md|ya?ml|toml|ini|cfg|jsonl|py|js|mjs|ts|sh|r|jl|tex|bib|xml|diff|patch)$/i;

/** How the beginning of a file is shown; null where it is not. */
export function previewForm({ name, mediaType }: Pick<Artifact, 'name' | 'mediaType'>): Form | null {
  if (/^image\/(png|jpeg|gif|webp|svg\+xml)/.test(mediaType)) return 'picture';
  if (/\.npy$/i.test(name)) return 'array';
  if (/^application\/json\b/.test(mediaType) || /\.json$/i.test(name)) return 'json';
  if (/\.csv$/i.test(name) || /^text\/csv\b/.test(mediaType)) return 'csv';
  if (/\.tsv$/i.test(name) || /^text\/tab-separated-values\b/.test(mediaType)) return 'tsv';
  if (/^text\/(?!html)/.test(mediaType) || TEXT_ENDINGS.test(name)) return 'text';
  return null;
}

/** The beginning of a file that the run left: a picture, the first numbers, the first rows, the first lines. */
export function ArtifactPreview({ artifact: { name, mediaType, viewUrl } }: { artifact: Artifact }) {
  const form = previewForm({ name, mediaType });
  switch (form) {
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
    case 'csv':
    case 'tsv':
      return (
        <Suspense fallback={<p className="empty">Loading …</p>}>
          <TablePreview url={viewUrl} isTsv={form === 'tsv'} />
        </Suspense>
      );
    case 'text':
      return <PlainText url={viewUrl} />;
    default:
      return null;
  }
}
