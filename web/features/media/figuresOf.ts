import type { ShownArtifact } from './useMedia.ts';

/** The files of a run that are pictures. Of a figure that was left as SVG and as PNG, the SVG. */
export function figuresOf(artifacts: readonly ShownArtifact[]): ShownArtifact[] {
  const pictures = artifacts.filter(({ mediaType }) => mediaType.startsWith('image/'));
  const drawn = new Set(pictures.flatMap(({ name }) => (name.endsWith('.svg') ? [name.slice(0, -4)] : [])));
  return pictures.filter(({ name }) => name.endsWith('.svg') || !drawn.has(name.replace(/\.\w+$/, '')));
}
