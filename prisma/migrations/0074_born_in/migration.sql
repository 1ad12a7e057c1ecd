-- A model or dataset without versions belongs to the projects that who made it could write to: the connection's own, which it is held to.
-- Those that are there already and have no version are seen by who sees everything, alone.
ALTER TABLE "registry_entry" ADD COLUMN "born_in" uuid[] NOT NULL DEFAULT '{}';
ALTER TABLE "registry_entry" ALTER COLUMN "born_in"
  SET DEFAULT coalesce(nullif(current_setting('warren.projects', true), '')::uuid[], '{}');
-- Those with versions are of the project in which the first of them was made.
UPDATE "registry_entry" AS entry SET "born_in" = ARRAY[first."project_id"]
FROM (
  SELECT DISTINCT ON (version."entry_id") version."entry_id", run."project_id"
  FROM "registry_version" version JOIN "run" ON run."id" = version."run_id"
  ORDER BY version."entry_id", version."number"
) AS first
WHERE first."entry_id" = entry."id";
