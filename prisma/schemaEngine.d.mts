export interface MigrationScript {
  name: string;
  sql: string;
}

export function readMigrations(): MigrationScript[];

export function schemaDifference(
  url: string,
  options?: { migrations?: MigrationScript[]; schema?: string },
): Promise<string>;
