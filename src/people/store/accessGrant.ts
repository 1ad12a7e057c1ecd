import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Prisma, TokenRole } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

const grantRow = z.object({
  ownerId: z.string(),
  projectId: z.string(),
  project: z.string(),
  role: z.enum(TokenRole),
  mayQueueCommands: z.boolean(),
  byGroup: z.boolean(),
});
/** What a token or a user, the owner, may do in one project. */
export type GrantRecord = z.infer<typeof grantRow>;

/** Whom grants are for. */
export type GrantOwner = 'token' | 'user';

const ownerColumn = (owner: GrantOwner): Prisma.Sql => (owner === 'token' ? Prisma.sql`token_id` : Prisma.sql`user_id`);

/** The grants of tokens, or of users, by the project's name. */
export async function listGrants(
  connection: Connection,
  owner: GrantOwner,
  ids: readonly string[],
): Promise<GrantRecord[]> {
  if (ids.length === 0) return [];
  return await queryRows(connection, grantRow)`
    SELECT ${ownerColumn(owner)} AS "ownerId", project_id AS "projectId", project.name AS project, role,
      may_queue_commands AS "mayQueueCommands", by_group AS "byGroup"
    FROM access_grant JOIN project ON project.id = project_id
    WHERE ${ownerColumn(owner)} = ANY(${[...ids]}::uuid[]) ORDER BY project.name, by_group`;
}

/** Gives grants; one that the owner has for the project already is replaced. */
export async function putGrants(
  connection: Connection,
  owner: GrantOwner,
  grants: readonly Pick<GrantRecord, 'ownerId' | 'projectId' | 'role' | 'mayQueueCommands' | 'byGroup'>[],
): Promise<void> {
  for (const { ownerId, projectId, role, mayQueueCommands, byGroup } of grants) {
    const columns = ownerColumn(owner);
    const key = owner === 'token' ? Prisma.sql`token_id, project_id` : Prisma.sql`user_id, project_id, by_group`;
    await connection.$executeRaw`
      INSERT INTO access_grant (id, ${columns}, project_id, role, may_queue_commands, by_group)
      VALUES (${randomUUID()}::uuid, ${ownerId}::uuid, ${projectId}::uuid, ${role}::token_role, ${mayQueueCommands}, ${byGroup})
      ON CONFLICT (${key}) DO UPDATE SET role = excluded.role, may_queue_commands = excluded.may_queue_commands`;
  }
}

/** Takes the grants away that a user has by groups, or in some projects those that an admin gave. */
export async function deleteUserGrants(
  connection: Connection,
  userId: string,
  which: { byGroup: true } | { byGroup: false; projectIds: readonly string[] },
): Promise<void> {
  const those = which.byGroup
    ? Prisma.sql`by_group`
    : Prisma.sql`NOT by_group AND project_id = ANY(${[...which.projectIds]}::uuid[])`;
  await connection.$executeRaw`DELETE FROM access_grant WHERE user_id = ${userId}::uuid AND ${those}`;
}
