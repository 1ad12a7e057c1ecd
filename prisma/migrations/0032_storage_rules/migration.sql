-- How many bytes the artifacts of a project may take; null: as many as there is room for.
ALTER TABLE "project" ADD COLUMN "artifact_quota_bytes" BIGINT;
