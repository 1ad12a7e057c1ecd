import type { CliEntryFragment, CliVersionFragment, ShowRegistryVersionQuery } from '#src/generated/api.ts';
import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { printable } from '#src/base/lib/printable.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import { formatAge } from '#src/base/terminal/formatNumber.ts';
import { renderTable, type TableColumn } from '#src/base/terminal/table.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';

function tableFor(terminal: Terminal, columns: readonly TableColumn[], rows: readonly string[][]): string[] {
  return renderTable(columns, rows, { width: terminal.width(), styleHeader: terminal.colours.bold });
}

/** Models and datasets, one a line. */
export function entryTable(entries: readonly CliEntryFragment[], terminal: Terminal): string[] {
  const now = new Date();
  const columns = [
    ...[{ header: 'NAME', minimum: 12 }, { header: 'TYPE' }, { header: 'NEWEST', align: 'right' as const }],
    ...[{ header: 'ALIASES', minimum: 10 }, { header: 'TAGS', minimum: 8 }, { header: 'CHANGED' }],
  ];
  const rows = entries.map(({ name, type, newest, aliases, tags, updatedAt }) => [
    ...[printable(name), type, newest === null ? '–' : String(newest.number)],
    aliases.map((alias) => `${printable(alias.name)}=${alias.number}`).join(' '),
    ...[tagText(tags), formatAge(updatedAt, now)],
  ]);
  return tableFor(terminal, columns, rows);
}

/** Versions of one entry, one a line. */
export function versionTable(versions: readonly CliVersionFragment[], terminal: Terminal): string[] {
  const now = new Date();
  const columns = [
    ...[
      { header: 'VERSION', align: 'right' as const },
      { header: 'ALIASES', minimum: 10 },
    ],
    ...[
      { header: 'RUN', minimum: 10 },
      { header: 'ARTIFACT', minimum: 12 },
    ],
    ...[{ header: 'SIZE', align: 'right' as const }, { header: 'STAGE' }, { header: 'MADE' }],
  ];
  const rows = versions.map((version) => [
    ...[String(version.number), version.aliases.map(printable).join(' '), madeBy(version)],
    ...[printable(version.artifactName ?? version.source), formatBytes(version.sizeBytes)],
    ...[version.stage === 'None' ? '' : version.stage, formatAge(version.createdAt, now)],
  ]);
  return tableFor(terminal, columns, rows);
}

/** What a model or dataset is. */
export function entryLines({ name, type, description, tags, aliases, newest }: CliEntryFragment): string[] {
  return [
    `${printable(name)} (${type}), ${newest === null ? 'no version' : `newest version ${newest.number}`}`,
    ...(description === '' ? [] : [printable(description)]),
    ...(tagText(tags) === '' ? [] : [`tags     ${tagText(tags)}`]),
    ...aliases.map((alias) => `alias    ${printable(alias.name)} = ${alias.number}`),
  ];
}

/** What a version is. */
export function versionLines(
  version: CliVersionFragment & Partial<Pick<ShowRegistryVersionQuery['registryVersion'], 'usedBy'>>,
): string[] {
  const { name, number, description, tags, aliases, stage, sha256, artifactName, source, usedBy = [] } = version;
  const files = version.fileCount === 1 ? '1 file' : `${version.fileCount} files`;
  return [
    `${printable(name)}:${number}${aliases.map((alias) => `  @${printable(alias)}`).join('')}`,
    ...(description === '' ? [] : [printable(description)]),
    `made by  ${madeBy(version)}`,
    ...(artifactName === null
      ? []
      : [`artifact ${printable(artifactName)}, ${files}, ${formatBytes(version.sizeBytes)}`]),
    ...(sha256 === null ? [] : [`sha256   ${sha256}`]),
    ...(source === '' ? [] : [`source   ${printable(source)}`]),
    ...(stage === 'None' ? [] : [`stage    ${stage}`]),
    ...(tagText(tags) === '' ? [] : [`tags     ${tagText(tags)}`]),
    ...usedBy.map((run) => `used by  #${run.number} ${printable(run.name)} (${run.state.toLowerCase()})`),
  ];
}

/** The files of a version. */
export function filesTable(files: ShowRegistryVersionQuery['registryVersion']['files'], terminal: Terminal): string[] {
  const columns = [{ header: 'FILE', minimum: 16 }, { header: 'SIZE', align: 'right' as const }, { header: 'SHA256' }];
  const rows = files.map(({ path, sizeBytes, sha256 }) => [
    printable(path),
    formatBytes(sizeBytes),
    sha256.slice(0, 16),
  ]);
  return tableFor(terminal, columns, rows);
}

function madeBy({ run }: Pick<CliVersionFragment, 'run'>): string {
  return run === null ? 'elsewhere' : `#${run.number} ${printable(run.name)}`;
}

function tagText(tags: unknown): string {
  return Object.entries(asPlainObject(tags))
    .map(([key, value]) => `${printable(key)}=${printable(String(value))}`)
    .join(' ');
}
