import type { ShownArtifact } from './useMedia.ts';
import type { MediaRun } from './mediaRun.ts';

/** The pictures among the files of the runs; of several runs, figures of one name stand beside each other. */
export function Figures({ runs, figures }: { runs: readonly MediaRun[]; figures: readonly ShownArtifact[][] }) {
  const names = [...new Set(figures.flatMap((some) => some.map(({ name }) => name)))].sort();
  if (names.length === 0) return null;
  return (
    <section className="stack" aria-label="Figures">
      <h2>Figures</h2>
      <div className="media-figures">
        {names.flatMap((name) =>
          runs.map((run, index) => {
            const figure = figures[index]?.find((one) => one.name === name);
            if (figure === undefined) return null;
            const title = runs.length === 1 ? name : `${name} of ${run.label}`;
            return (
              <figure className="panel media-figure" key={`${run.id} ${name}`}>
                <a href={figure.viewUrl} target="_blank" rel="noreferrer" aria-label={`Open ${title}`}>
                  <img src={figure.viewUrl} alt={title} loading="lazy" decoding="async" />
                </a>
                <figcaption>{title}</figcaption>
              </figure>
            );
          }),
        )}
      </div>
    </section>
  );
}
