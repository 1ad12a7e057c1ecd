-- CreateIndex
CREATE INDEX "run_project_id_state_ended_at_deleted_at_idx" ON "run"("project_id", "state", "ended_at", "deleted_at");
