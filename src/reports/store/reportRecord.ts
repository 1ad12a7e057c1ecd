import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { countRow, queryRows, timestamp } from '#src/base/database/queryRows.ts';

const reportRow = z.object({
  id: z.string(),
  number: z.int(),
  projectId: z.string(),
  createdAt: timestamp,
  deletedAt: timestamp.nullable(),
  createdBy: z.string(),
  /** The newest version, with its title and who saved it when. */
  version: z.int(),
  title: z.string(),
  savedBy: z.string(),
  savedAt: timestamp,
});
/** A row of `report` with what its first and its newest version say. */
export type ReportRecord = z.infer<typeof reportRow>;

const versionRow = z.object({
  reportId: z.string(),
  version: z.int(),
  title: z.string(),
  savedBy: z.string(),
  savedAt: timestamp,
});
/** A row of `report_version` without its text. */
export type ReportVersionRecord = z.infer<typeof versionRow>;

const textRow = versionRow.extend({ text: z.string() });
/** A whole row of `report_version`. */
export type ReportTextRecord = z.infer<typeof textRow>;

const REPORTS = Prisma.sql`
  SELECT report.id, report.number, report.project_id AS "projectId", report.created_at AS "createdAt",
    report.deleted_at AS "deletedAt", coalesce(first.saved_by, newest.saved_by) AS "createdBy", newest.version, newest.title,
    newest.saved_by AS "savedBy", newest.saved_at AS "savedAt"
  FROM report
  LEFT JOIN report_version first ON first.report_id = report.id AND first.version = 1
  JOIN LATERAL (SELECT * FROM report_version WHERE report_id = report.id ORDER BY version DESC LIMIT 1) newest ON true`;
const VERSION = Prisma.sql`report_id AS "reportId", version, title, saved_by AS "savedBy", saved_at AS "savedAt"`;

/** Reports of a project, or of all; what was saved last comes first. */
export async function listReports(
  connection: Connection,
  range: { projectId: string | null; inTrash: boolean; most: number },
): Promise<ReportRecord[]> {
  return await queryRows(connection, reportRow)`
    ${REPORTS} WHERE (${range.projectId}::uuid IS NULL OR report.project_id = ${range.projectId}::uuid)
      AND (report.deleted_at IS NOT NULL) = ${range.inTrash}
    ORDER BY newest.saved_at DESC, report.number DESC LIMIT ${range.most}::int`;
}

/** The report of this id, or of this number, in the trash or not; null when there is none. */
export async function findReport(
  connection: Connection,
  by: { id: string } | { number: number },
): Promise<ReportRecord | null> {
  const condition = 'id' in by ? Prisma.sql`report.id = ${by.id}::uuid` : Prisma.sql`report.number = ${by.number}::int`;
  const rows = await queryRows(connection, reportRow)`${REPORTS} WHERE ${condition}`;
  return rows[0] ?? null;
}

/** Locks a report until the transaction ends: nobody else saves, deletes or restores it. False when there is none. */
export async function lockReport(connection: Connection, id: string): Promise<boolean> {
  return (await connection.$executeRaw`SELECT 1 FROM report WHERE id = ${id}::uuid FOR NO KEY UPDATE`) > 0;
}

export async function countReports(connection: Connection, projectId: string): Promise<number> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(*)::int AS count FROM report WHERE project_id = ${projectId}::uuid`;
  return rows[0]?.count ?? 0;
}

/** Inserts a report without a version, for within the transaction that adds its first. */
export async function insertReport(connection: Connection, projectId: string): Promise<string> {
  const id = randomUUID();
  await connection.$executeRaw`INSERT INTO report (id, project_id) VALUES (${id}::uuid, ${projectId}::uuid)`;
  return id;
}

export async function insertReportVersion(
  connection: Connection,
  { reportId, version, title, text, savedBy }: Omit<ReportTextRecord, 'savedAt'>,
): Promise<void> {
  await connection.$executeRaw`
    INSERT INTO report_version (report_id, version, title, text, saved_by)
    VALUES (${reportId}::uuid, ${version}::int, ${databaseText(title)}, ${databaseText(text)}, ${databaseText(savedBy)})`;
}

/** Versions of a report, the newest first. */
export async function listReportVersions(
  connection: Connection,
  reportId: string,
  most: number,
): Promise<ReportVersionRecord[]> {
  return await queryRows(connection, versionRow)`
    SELECT ${VERSION} FROM report_version WHERE report_id = ${reportId}::uuid ORDER BY version DESC LIMIT ${most}::int`;
}

/** A version with its text; null when there is none. */
export async function findReportText(
  connection: Connection,
  reportId: string,
  version: number,
): Promise<ReportTextRecord | null> {
  const rows = await queryRows(connection, textRow)`
    SELECT ${VERSION}, text FROM report_version WHERE report_id = ${reportId}::uuid AND version = ${version}::int`;
  return rows[0] ?? null;
}

/** Moves a report into the trash, or out of it. */
export async function trashReport(connection: Connection, id: string, trashed: boolean): Promise<void> {
  await connection.$executeRaw`
    UPDATE report SET deleted_at = CASE WHEN ${trashed} THEN coalesce(deleted_at, now()) END WHERE id = ${id}::uuid`;
}

/** Deletes reports for good that have been in the trash for at least so many days, or only counts them. */
export async function purgeReports(
  connection: Connection,
  { olderThanDays, dryRun }: { olderThanDays: number; dryRun: boolean },
): Promise<number> {
  const old = Prisma.sql`deleted_at <= now() - ${olderThanDays}::float8 * interval '1 day'`;
  if (!dryRun) return await connection.$executeRaw`DELETE FROM report WHERE ${old}`;
  const rows = await queryRows(connection, countRow)`SELECT count(*)::int AS count FROM report WHERE ${old}`;
  return rows[0]?.count ?? 0;
}
