-- AlterTable
ALTER TABLE "run" ADD COLUMN     "forked_from_id" UUID,
ADD COLUMN     "fork_step" BIGINT;

-- CreateIndex
CREATE INDEX "run_forked_from_id_idx" ON "run"("forked_from_id");

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_forked_from_id_fkey" FOREIGN KEY ("forked_from_id") REFERENCES "run"("id") ON DELETE SET NULL ON UPDATE CASCADE;
