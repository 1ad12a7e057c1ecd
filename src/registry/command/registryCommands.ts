import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { parseVersionReference, type RegistryType } from '#src/base/contracts/registry.ts';
import {
  type CliEntryFragment,
  DeleteRegistryAliasDocument,
  DeleteRegistryEntryDocument,
  DeleteRegistryVersionDocument,
  ListRegistryEntriesDocument,
  type ListRegistryEntriesQuery,
  RegisterVersionDocument,
  SetRegistryAliasDocument,
  ShowRegistryEntryDocument,
  ShowRegistryVersionDocument,
  UpdateRegistryEntryDocument,
  UpdateRegistryVersionDocument,
  type CliVersionFragment,
  type ShowRegistryVersionQuery,
} from '#src/generated/api.ts';
import { printable } from '#src/base/lib/printable.ts';
import { parseRunId } from '#src/base/terminal/arguments/runId.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import { formatAge } from '#src/base/terminal/formatNumber.ts';
import { renderTable, type TableColumn } from '#src/base/terminal/table.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';

function tableFor(terminal: Terminal, columns: readonly TableColumn[], rows: readonly string[][]): string[] {
  return renderTable(columns, rows, { width: terminal.width(), styleHeader: terminal.colours.bold });
}

/** Models and datasets, one a line. */
function entryTable(entries: readonly CliEntryFragment[], terminal: Terminal): string[] {
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
function versionTable(versions: readonly CliVersionFragment[], terminal: Terminal): string[] {
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
function entryLines({ name, type, description, tags, aliases, newest }: CliEntryFragment): string[] {
  return [
    `${printable(name)} (${type}), ${newest === null ? 'no version' : `newest version ${newest.number}`}`,
    ...(description === '' ? [] : [printable(description)]),
    ...(tagText(tags) === '' ? [] : [`tags     ${tagText(tags)}`]),
    ...aliases.map((alias) => `alias    ${printable(alias.name)} = ${alias.number}`),
  ];
}

/** What a version is. */
function versionLines(
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
function filesTable(files: ShowRegistryVersionQuery['registryVersion']['files'], terminal: Terminal): string[] {
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

export interface ListOptions {
  type?: RegistryType;
  tag?: string[];
  limit: number;
  json?: boolean;
}

const PAGE = 500;

/** The body of `warren model ls`. */
export async function listCommand(
  context: CommandContext,
  text: string | undefined,
  options: ListOptions,
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const wanted = { type: options.type ?? null, search: text ?? null, tags: options.tag ?? [] };
  const entries: CliEntryFragment[] = [];
  let after: string | null = null;
  do {
    const first = Math.min(PAGE, options.limit - entries.length);
    const page: ListRegistryEntriesQuery = await api.request(ListRegistryEntriesDocument, { ...wanted, first, after });
    entries.push(...page.registryEntries.edges.map(({ node }) => node));
    after = page.registryEntries.pageInfo.hasNextPage ? page.registryEntries.pageInfo.endCursor : null;
  } while (after !== null && entries.length < options.limit);
  if (options.json === true) terminal.print(JSON.stringify(entries, null, 2));
  else if (entries.length > 0) terminal.print(entryTable(entries, terminal).join('\n'));
  else if (text !== undefined || options.type !== undefined || options.tag !== undefined)
    terminal.say('warren: nothing registered is like that');
  else terminal.say('warren: nothing is registered yet; `warren model register NAME RUN:ARTIFACT` begins');
}

/** The body of `warren model show`. */
export async function showCommand(
  context: CommandContext,
  name: string,
  options: { limit: number; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  if (parseVersionReference(name) !== null) {
    const { registryVersion: version } = await api.request(ShowRegistryVersionDocument, { version: name });
    if (options.json === true) {
      terminal.print(JSON.stringify(version, null, 2));
      return;
    }
    terminal.print(versionLines(version).join('\n'));
    if (version.files.length > 0) terminal.print(`\n${filesTable(version.files, terminal).join('\n')}`);
    return;
  }
  const { registryEntry: entry } = await api.request(ShowRegistryEntryDocument, { name, first: options.limit });
  if (entry === null) {
    throw new WarrenError('NOT_FOUND', `nothing is registered as "${name}"; \`warren model ls\` lists what is`);
  }
  if (options.json === true) {
    terminal.print(JSON.stringify(entry, null, 2));
    return;
  }
  terminal.print(entryLines(entry).join('\n'));
  if (entry.versions.length > 0) terminal.print(`\n${versionTable(entry.versions, terminal).join('\n')}`);
}

export interface RegisterOptions {
  type?: RegistryType;
  alias?: string[];
  tag?: string[];
  description?: string;
  json?: boolean;
}

/** The body of `warren model register`. */
export async function registerCommand(
  context: CommandContext,
  { name, source }: { name: string; source: string },
  options: RegisterOptions,
): Promise<void> {
  const [, run = source, artifactName = null] = /^([^:]+):(.+)$/s.exec(source) ?? [];
  const api = await context.api();
  const { registerVersion: version } = await api.request(RegisterVersionDocument, {
    input: {
      name,
      runId: parseRunId(run),
      artifactName,
      type: options.type ?? null,
      aliases: options.alias ?? [],
      tags: (options.tag ?? []).map(parseTag),
      description: options.description ?? '',
    },
  });
  if (options.json === true) context.terminal.print(JSON.stringify(version, null, 2));
  else context.terminal.print(versionLines(version).join('\n'));
}

/** The body of `warren model alias`. */
export async function aliasCommand(
  context: CommandContext,
  { version, alias }: { version: string; alias: string },
  options: { remove?: boolean; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  if (options.remove === true) {
    const name = parseVersionReference(version)?.name ?? version;
    const { deleteRegistryAlias: entry } = await api.request(DeleteRegistryAliasDocument, { name, alias });
    if (options.json === true) terminal.print(JSON.stringify(entry, null, 2));
    else terminal.print(`${printable(entry.name)} has no alias ${printable(alias)} any more`);
    return;
  }
  requireReference(version);
  const { setRegistryAlias: pointed } = await api.request(SetRegistryAliasDocument, { version, alias });
  if (options.json === true) terminal.print(JSON.stringify(pointed, null, 2));
  else terminal.print(`${printable(pointed.name)}@${alias} is version ${pointed.number}`);
}

export interface DescribeOptions {
  description?: string;
  tag?: string[];
  untag?: string[];
  rename?: string;
  json?: boolean;
}

/** The body of `warren model describe`. */
export async function describeCommand(context: CommandContext, name: string, options: DescribeOptions): Promise<void> {
  const { terminal } = context;
  const { description = null, tag = [], untag = [], rename = null } = options;
  const tags = [...tag.map(parseTag), ...untag.map((key) => ({ key, value: null }))];
  if (description === null && tags.length === 0 && rename === null) {
    throw badInput('say what changes: --description, --tag, --untag or --rename');
  }
  const api = await context.api();
  if (parseVersionReference(name) === null) {
    const input = { name, newName: rename, description, tags };
    const { updateRegistryEntry: entry } = await api.request(UpdateRegistryEntryDocument, { input });
    terminal.print(options.json === true ? JSON.stringify(entry, null, 2) : entryLines(entry).join('\n'));
    return;
  }
  if (rename !== null) throw badInput('--rename is for a model or dataset, not for one of its versions');
  const input = { version: name, description, tags };
  const { updateRegistryVersion: version } = await api.request(UpdateRegistryVersionDocument, { input });
  terminal.print(options.json === true ? JSON.stringify(version, null, 2) : versionLines(version).join('\n'));
}

/** The body of `warren model delete`. */
export async function deleteCommand(
  context: CommandContext,
  version: string,
  options: { all?: boolean },
): Promise<void> {
  const api = await context.api();
  if (options.all === true) await api.request(DeleteRegistryEntryDocument, { name: version });
  else {
    requireReference(version);
    await api.request(DeleteRegistryVersionDocument, { version });
  }
  context.terminal.print(`${printable(version)} is deleted`);
}

function requireReference(version: string): void {
  if (parseVersionReference(version) !== null) return;
  throw badInput(`"${version}" is no version: give NAME:3, NAME@ALIAS or NAME:latest`);
}

function parseTag(text: string): { key: string; value: string } {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined) throw badInput(`expected key=value, not "${text}"`, '--tag');
  return { key, value: value ?? '' };
}
