import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Prisma, TokenRole } from '#src/generated/prisma/client.ts';
import { asciiLowerCase } from '#src/base/lib/asciiLowerCase.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';

const userRow = z.object({
  id: z.string(),
  issuer: z.string(),
  subject: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string(),
  role: z.enum(TokenRole).nullable(),
  mayQueueCommands: z.boolean(),
  createdAt: timestamp,
  signedInAt: timestamp.nullable(),
  seenAt: timestamp.nullable(),
  disabledAt: timestamp.nullable(),
});
/** Somebody who has signed in. `role` holds in all projects; null where only grants say. */
export type UserRecord = z.infer<typeof userRow>;

const COLUMNS = Prisma.sql`id, issuer, subject, email, email_verified AS "emailVerified", name, role, may_queue_commands AS "mayQueueCommands",
  created_at AS "createdAt", signed_in_at AS "signedInAt", seen_at AS "seenAt", disabled_at AS "disabledAt"`;

/** Keeps what the provider says of a person now, who is known by issuer and subject. */
export async function putUser(
  connection: Connection,
  user: Pick<UserRecord, 'issuer' | 'subject' | 'email' | 'emailVerified' | 'name' | 'role'>,
): Promise<UserRecord> {
  const rows = await queryRows(connection, userRow)`
    INSERT INTO app_user (id, issuer, subject, email, email_verified, name, role, signed_in_at, seen_at)
    VALUES (${randomUUID()}::uuid, ${databaseText(user.issuer)}, ${databaseText(user.subject)}, ${databaseText(user.email)},
      ${user.emailVerified}, ${databaseText(user.name)}, ${user.role}::token_role, now(), now())
    ON CONFLICT (issuer, subject) DO UPDATE SET email = excluded.email, email_verified = excluded.email_verified,
      name = excluded.name, role = excluded.role, signed_in_at = now(), seen_at = now()
    RETURNING ${COLUMNS}`;
  const [kept] = rows;
  if (kept === undefined) throw new Error('internal: the user was not kept');
  return kept;
}

/** All who have signed in, by address. */
export async function listUsers(connection: Connection): Promise<UserRecord[]> {
  return await queryRows(connection, userRow)`SELECT ${COLUMNS} FROM app_user ORDER BY email, created_at, id`;
}

/** The person of this id. */
export async function findUser(connection: Connection, id: string): Promise<UserRecord | null> {
  const text = databaseText(id);
  const [found] = await queryRows(connection, userRow)`SELECT ${COLUMNS} FROM app_user WHERE id::text = ${text}`;
  return found ?? null;
}

/** Those with this address, which is compared without regard to case; also those of whom it is not verified. */
export async function findUsersByAddress(connection: Connection, address: string): Promise<UserRecord[]> {
  return await queryRows(connection, userRow)`
    SELECT ${COLUMNS} FROM app_user WHERE lower(email COLLATE "C") = ${asciiLowerCase(databaseText(address))}
    ORDER BY created_at, id`;
}

/** Whether the person of this id is there and not shut out. */
export async function isUserEnabled(connection: Connection, id: string): Promise<boolean> {
  return (await connection.appUser.count({ where: { id, disabledAt: null } })) > 0;
}

/** Shuts a person out, and ends the sessions, or lets the person in again. */
export async function setUserDisabled(connection: Connection, id: string, disabled: boolean): Promise<void> {
  await connection.$executeRaw`
    UPDATE app_user SET disabled_at = CASE WHEN ${disabled} THEN coalesce(disabled_at, now()) END WHERE id = ${id}::uuid`;
  if (disabled) await connection.$executeRaw`DELETE FROM user_session WHERE user_id = ${id}::uuid`;
}

/** Whether the person may queue commands wherever the role that holds in all projects is WRITE or more. */
export async function setUserCommands(connection: Connection, id: string, mayQueueCommands: boolean): Promise<void> {
  await connection.$executeRaw`UPDATE app_user SET may_queue_commands = ${mayQueueCommands} WHERE id = ${id}::uuid`;
}
