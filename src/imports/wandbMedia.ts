import { realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { MOST_BINS } from '#src/base/contracts/media.ts';
import type { MediaKind } from '#src/generated/api.ts';
import type { SourceItem, SourceMedia } from './source.ts';

/** What a type of W&B's is here; the end of the file's name says what is in it. */
const KINDS: Readonly<Record<string, { kind: MediaKind; mediaType: string }>> = {
  'image-file': { kind: 'image', mediaType: 'image/png' },
  'table-file': { kind: 'table', mediaType: 'application/json' },
  'html-file': { kind: 'html', mediaType: 'text/html' },
  'audio-file': { kind: 'audio', mediaType: 'audio/wav' },
  'video-file': { kind: 'video', mediaType: 'video/mp4' },
  'plotly-file': { kind: 'plotly', mediaType: 'application/json' },
};

const ENDINGS: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'video/webm',
};

type Place = Pick<SourceMedia, 'name' | 'step' | 'timeMs'>;

/** What a value of the history shows: a histogram, or files of the run's folder. Other types are left out, with a warning. */
export function* mediaOfWandb(value: Record<string, unknown>, place: Place, folder: string): Generator<SourceItem> {
  const type = String(value._type);
  if (type === 'histogram') {
    const metadata = histogramOf(value);
    if (metadata === null) return;
    yield { type: 'media', media: { ...place, kind: 'histogram', content: null, mediaType: '', metadata } };
    return;
  }
  const known = KINDS[type === 'images/separated' ? 'image-file' : type];
  if (known === undefined) {
    yield { type: 'warning', text: `${place.name} at step ${place.step}: "${type}" is not imported` };
    return;
  }
  const names = Array.isArray(value.filenames) ? value.filenames : [value.path];
  const captions = Array.isArray(value.captions) ? value.captions : [value.caption];
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string') continue;
    const path = join(folder, name);
    const problem = problemOf(path, folder);
    if (problem !== null) {
      yield { type: 'warning', text: `${place.name} at step ${place.step}: ${name} ${problem}` };
      continue;
    }
    const mediaType = ENDINGS[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? known.mediaType;
    const caption = typeof captions[index] === 'string' ? { caption: captions[index].slice(0, 2_000) } : {};
    const media = { ...place, ...caption, index, kind: known.kind, content: { path }, mediaType };
    yield { type: 'media', media };
  }
}

/** Why a file is not read: a folder that somebody else made could name, or link to, any file of this machine. */
function problemOf(path: string, folder: string): string | null {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return 'is not there';
  const isInside = realpathSync(path).startsWith(realpathSync(folder) + sep);
  return isInside ? null : 'is not read: it lies outside the folder of its run';
}

function histogramOf({ bins, values }: Record<string, unknown>): { edges: number[]; counts: number[] } | null {
  if (!Array.isArray(bins) || !Array.isArray(values) || bins.length !== values.length + 1) return null;
  const isWhole = [...bins, ...values].every((number) => typeof number === 'number' && Number.isFinite(number));
  if (!isWhole || values.length > MOST_BINS || values.some((count) => count < 0)) return null;
  return bins.every((edge, index) => index === 0 || edge >= bins[index - 1]) ? { edges: bins, counts: values } : null;
}
