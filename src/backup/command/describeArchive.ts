import type { ProjectImportSummary } from '#src/backup/importProject.ts';
import type { LeftBehind } from '#src/backup/store/projectRows.ts';
import { counted } from '#src/base/terminal/counted.ts';

const PARTS: readonly (readonly [table: string, one: string])[] = [
  ['sweep', 'sweep'],
  ['decision', 'decision'],
  ['run_view', 'view'],
  ['report', 'report'],
  ['registry_version', 'model version'],
];

/** `; 2 sweeps, 1 report`: what an archive has beside runs, empty where it has nothing else. */
export function describeProject(tables: Readonly<Record<string, number>>): string {
  const parts = partsOf(tables);
  return parts.length === 0 ? '' : `; ${parts.join(', ')}`;
}

/** What of a project is not in its archive; null where all of it is. */
export function describeLeftBehind(left: LeftBehind): string | null {
  const { openRuns, trashedRuns, openDecisions, alertRules, shareLinks } = left;
  const parts = [
    [openRuns, 'run that has not ended', 'runs that have not ended'],
    [trashedRuns, 'run in the trash', 'runs in the trash'],
    [openDecisions, 'comparison under way', 'comparisons under way'],
    [alertRules, 'alert rule', 'alert rules'],
    [shareLinks, 'share link', 'share links'],
  ] as const;
  const told = parts.flatMap(([many, one, several]) => (many === 0 ? [] : [`${many} ${many === 1 ? one : several}`]));
  return told.length === 0 ? null : `not in the archive: ${told.join(', ')}`;
}

/** What came with an archive, in a line. */
export function describeImport(summary: ProjectImportSummary): string {
  const { project, tables, knownRuns, artifacts, without, only } = summary;
  const came = [counted(tables.run ?? 0, 'run'), ...partsOf(tables), counted(artifacts, 'artifact')];
  const known =
    knownRuns === 0
      ? ''
      : `; ${counted(knownRuns, 'run')} ${knownRuns === 1 ? 'was' : 'were'} here already${knownPlaces(summary)}`;
  const lacks = without.length === 0 ? '' : `; the archive was written without ${without.join(', ')}`;
  const chosen = only == null ? '' : '; of points and artifacts it has what studies read';
  return `${project}: ${came.join(', ')} came${known}${lacks}${chosen}`;
}

/** `: 2 in "old" (1 of them in the trash)`: runs do not move by an import. */
function knownPlaces({ project, knownIn }: ProjectImportSummary): string {
  if (knownIn.every((place) => place.project === project && place.inTrash === 0)) return '';
  const places = knownIn.map(({ project: name, runs, inTrash }) => {
    const trash = inTrash === 0 ? '' : inTrash === runs ? ' (in the trash)' : ` (${inTrash} of them in the trash)`;
    return `${runs} in "${name}"${trash}`;
  });
  return `: ${places.join(', ')}`;
}

function partsOf(tables: Readonly<Record<string, number>>): string[] {
  return PARTS.flatMap(([table, one]) => ((tables[table] ?? 0) === 0 ? [] : [counted(tables[table] ?? 0, one)]));
}
