-- What is read of many runs or configurations is few rows: the newest configurations, the runs that have tags, those in the trash.
-- CreateIndex
CREATE INDEX "configuration_created_at_idx" ON "configuration"("created_at");

-- CreateIndex
CREATE INDEX "run_tagged_idx" ON "run"("project_id") WHERE "tags" <> '{}' AND "deleted_at" IS NULL;

-- CreateIndex
CREATE INDEX "run_trash_idx" ON "run"("deleted_at") WHERE "deleted_at" IS NOT NULL;
