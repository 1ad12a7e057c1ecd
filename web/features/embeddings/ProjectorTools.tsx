import type { ReactNode } from 'react';
import { Button } from '#web/components/Button.tsx';
import { Segments } from '#web/components/Segments.tsx';
import type { Store } from '#web/lib/store.ts';
import { type Camera, FIRST_CAMERA, FIRST_CAMERA_IN_SPACE, zoomed } from './camera.ts';
import type { EmbeddingsSearch } from './embeddingsSearch.ts';
import type { ColorChoice } from './rowColoring.ts';

export interface ProjectorToolsProps {
  search: EmbeddingsSearch;
  onSearch(change: Partial<EmbeddingsSearch>): void;
  color: string;
  choices: readonly ColorChoice[];
  onColor(color: string): void;
  camera: Store<Camera>;
  /** Beside the choice of colors. */
  children: ReactNode;
}

/** How the points are placed, colored and looked at. */
export function ProjectorTools({ search, onSearch, color, choices, onColor, camera, children }: ProjectorToolsProps) {
  const inSpace = search.space === '3';
  return (
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
        <select className="input" value={color} onChange={(event) => onColor(event.target.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      </label>
      {children}
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
  );
}
