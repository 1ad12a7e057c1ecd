import type { SearchResults } from './useSearchAll.ts';
import { namesakeDetails } from '../shared/namesakes.ts';
import type { PaletteGroup, PaletteItem } from './paletteItem.ts';

/** What the server found, as the palette offers it. */
export function foundGroups(found: SearchResults | undefined): PaletteGroup[] {
  if (found === undefined) return [];
  const { runs, projects, sweeps, studies } = found;
  const details = namesakeDetails(runs);
  return [
    { title: 'Runs', items: runs.map((run, index) => runItem(run, details[index])) },
    {
      title: 'Projects',
      items: projects.map(({ name, runCount }) => ({
        id: `project ${name}`,
        label: name,
        hint: runCount === 1 ? '1 run' : `${runCount} runs`,
        href: `/runs?project=${encodeURIComponent(name)}`,
      })),
    },
    {
      title: 'Sweeps',
      items: sweeps.map(({ number, name, project }) => ({
        id: `sweep ${number}`,
        label: `${name} (sweep ${number})`,
        hint: project.name,
        href: `/sweeps/${number}`,
      })),
    },
    {
      title: 'Reproductions',
      items: studies.map(({ name, title }) => ({
        id: `study ${name}`,
        label: title,
        hint: name,
        href: `/reproductions/${name}`,
      })),
    },
  ].filter(({ items }) => items.length > 0);
}

/** A run as the palette offers it. */
export function runItem(
  run: { id: string; number: number; name: string; state: string; seed: number; project: { name: string } },
  detail = run.seed === 0 ? '' : `seed ${run.seed}`,
): PaletteItem {
  return {
    id: `run ${run.id}`,
    label: `#${run.number} ${run.name}`,
    hint: [detail, run.state.toLowerCase(), run.project.name].filter((part) => part !== '').join(' · '),
    href: `/runs/${run.id}`,
  };
}
