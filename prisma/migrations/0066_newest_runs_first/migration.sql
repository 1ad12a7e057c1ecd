-- Home lists the runs that began or ended last: they are read in this order, not sorted out of all.
CREATE INDEX "run_newest_idx" ON "run" ((coalesce("ended_at", "started_at", "created_at")) DESC, "number" DESC) WHERE "deleted_at" IS NULL;
