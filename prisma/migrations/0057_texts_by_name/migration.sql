-- Texts that programs log are filtered and ordered by: of a run the newest under a name, and which names there are.
-- CreateIndex
CREATE INDEX "media_text_idx" ON "media"("name", "run_id", "step") WHERE "kind" = 'text';
