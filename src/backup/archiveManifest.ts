import { z } from 'zod';
import { OPTIONAL_PARTS } from '#src/base/contracts/optionalParts.ts';

/** The archive's last member, which describes the others; an archive without it was never finished. */
export const MANIFEST_NAME = 'manifest.json';

/** A member with rows of a table, in PostgreSQL's text format of COPY; the parts of a table follow one another. */
export function tablePartName(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(6, '0')}.copy`;
}

/** The table that a member has rows of, or null. */
export function tableOfMember(name: string): string | null {
  return /^tables\/([a-z_][a-z0-9_]*)\/\d+\.copy$/.exec(name)?.[1] ?? null;
}

export function artifactName(sha256: string): string {
  return `artifacts/${sha256}`;
}

/** The digest of the artifact that a member is, or null. */
export function artifactOfMember(name: string): string | null {
  return /^artifacts\/([0-9a-f]{64})$/.exec(name)?.[1] ?? null;
}

const columnName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

const archiveSchema = z.object({
  /** Raised when an older Warren could not read the archive any more. */
  version: z.literal(1),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  /** In an order in which no row refers to a later table's. */
  tables: z.array(z.object({ name: columnName, columns: z.array(columnName), rows: z.number().int() })),
  /** Artifacts that the database names but whose file was gone or damaged. */
  missingArtifacts: z.array(z.string()),
  members: z.array(z.object({ name: z.string(), sizeBytes: z.number().int(), sha256: z.string() })),
});

/** A whole database with its artifacts. */
export const backupManifestSchema = archiveSchema.extend({
  format: z.literal('warren-backup'),
  /** Where the numbers of each counting column go on. */
  sequences: z.array(
    z.object({ table: columnName, column: columnName, value: z.string().regex(/^\d+$/), isCalled: z.boolean() }),
  ),
});

/** One project: its runs that have ended, and what belongs to them. */
export const projectManifestSchema = archiveSchema.extend({
  format: z.literal('warren-project'),
  project: z.object({ id: z.uuid(), name: z.string().min(1), description: z.string() }),
  /** What was left out by wish. */
  without: z.array(z.enum(OPTIONAL_PARTS)),
  /** Points and artifacts are those alone that studies read. */
  only: z.literal('studies').optional(),
});

export type BackupManifest = z.infer<typeof backupManifestSchema>;
export type ProjectManifest = z.infer<typeof projectManifestSchema>;
export type ArchiveManifest = BackupManifest | ProjectManifest;
