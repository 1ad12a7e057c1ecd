-- AlterEnum
ALTER TYPE "run_state" ADD VALUE 'PRUNED';

-- AlterEnum
ALTER TYPE "attempt_state" ADD VALUE 'PRUNED';

-- AlterTable
ALTER TABLE "run" ADD COLUMN     "prune_requested_at" TIMESTAMPTZ(3),
ADD COLUMN     "spared" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "sweep_rung" (
    "sweep_id" UUID NOT NULL,
    "trial" INTEGER NOT NULL,
    "iteration" INTEGER NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "runs" INTEGER NOT NULL,
    "kept" BOOLEAN NOT NULL,
    "judged_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sweep_rung_pkey" PRIMARY KEY ("sweep_id","trial","iteration")
);

-- CreateIndex
CREATE INDEX "sweep_rung_sweep_id_iteration_idx" ON "sweep_rung"("sweep_id", "iteration");

-- AddForeignKey
ALTER TABLE "sweep_rung" ADD CONSTRAINT "sweep_rung_sweep_id_trial_fkey" FOREIGN KEY ("sweep_id", "trial") REFERENCES "sweep_trial"("sweep_id", "number") ON DELETE CASCADE ON UPDATE CASCADE;
