import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import type { RegistryType } from '#src/base/contracts/registry.ts';
import { type EntryRecord, listEntries as listEntryRows } from '#src/registry/store/entryRecord.ts';
import { resolveProject } from '#src/projects/resolveProject.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface ListEntriesInput {
  type?: RegistryType | null | undefined;
  /** Text that names have. */
  search?: string | null | undefined;
  /** `key=value`; all of them. */
  tags?: readonly string[] | null | undefined;
  /** Name of a project whose runs made versions of them. */
  project?: string | null | undefined;
  /** 0 to 500, default 50. */
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** A page of a connection, as Relay draws it. */
export interface EntryPage {
  edges: { cursor: string; node: EntryRecord }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

const cursorSchema = z.string().regex(/^entry:/);

/** Models and datasets by name, page by page. @throws WarrenError BAD_INPUT, NOT_FOUND for an unknown project. */
export async function listEntries(
  context: Pick<ServiceContext, 'db'>,
  input: ListEntriesInput = {},
): Promise<EntryPage> {
  const first = checkedInteger(input.first ?? 50, { path: 'first', minimum: 0, maximum: 500 });
  const afterName = input.after == null ? null : decode(input.after);
  const found = await listEntryRows(context.db, {
    type: input.type ?? null,
    search: input.search == null || input.search.trim() === '' ? null : input.search.trim(),
    tags: Object.fromEntries((input.tags ?? []).map(parseTag)),
    projectId: await resolveProject(context, input.project),
    afterName,
    first: first + 1,
  });
  const edges = found.slice(0, first).map((node) => ({ cursor: encode(node.name), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > first,
      hasPreviousPage: afterName !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

function parseTag(text: string): [string, string] {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined) throw badInput(`tags: expected key=value, received "${text.slice(0, 100)}"`, 'tags');
  return [key, value ?? ''];
}

function encode(name: string): string {
  return Buffer.from(`entry:${name}`).toString('base64url');
}

function decode(cursor: string): string {
  const parsed = cursorSchema.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (parsed.success) return parsed.data.slice('entry:'.length);
  throw badInput(`after: "${cursor.slice(0, 40)}" is not a cursor; give the endCursor of an earlier page`, 'after');
}
