import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { listProjectsAfter, type ProjectRecord } from '#src/projects/store/projectRecord.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** A page of a connection, as Relay draws it. */
export interface ProjectPage {
  edges: { cursor: string; node: ProjectRecord }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

const cursorSchema = z.string().regex(/^project:/);

/** Projects by name, page by page: those in the trash, or all others. */
export async function listProjects(
  context: Pick<ServiceContext, 'db'>,
  input: { first?: number | null | undefined; after?: string | null | undefined; deleted?: boolean } = {},
): Promise<ProjectPage> {
  const first = checkedInteger(input.first ?? 50, { path: 'first', minimum: 0, maximum: 500 });
  const afterName = input.after == null ? null : decode(input.after);
  const found = await listProjectsAfter(context.db, {
    afterName,
    first: first + 1,
    deleted: input.deleted ?? false,
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

function encode(name: string): string {
  return Buffer.from(`project:${name}`).toString('base64url');
}

function decode(cursor: string): string {
  const parsed = cursorSchema.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (!parsed.success) {
    throw badInput(`after: "${cursor.slice(0, 40)}" is not a cursor; give the endCursor of an earlier page`, 'after');
  }
  return parsed.data.slice('project:'.length).replaceAll('\0', '');
}
