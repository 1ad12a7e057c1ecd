-- CreateEnum
CREATE TYPE "sweep_state" AS ENUM ('RUNNING', 'PAUSED', 'FINISHED', 'CANCELLED');

-- DropIndex
DROP INDEX "run_sweep_id_idx";

-- AlterTable
ALTER TABLE "run" ADD COLUMN     "sweep_trial" INTEGER;

-- Nothing has written this table yet, so that columns without a default can be added.
-- AlterTable
ALTER TABLE "sweep" DROP COLUMN "method",
DROP COLUMN "space",
ADD COLUMN     "definition" JSONB NOT NULL,
ADD COLUMN     "ended_at" TIMESTAMPTZ(3),
ADD COLUMN     "hopeful_from" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "number" SERIAL NOT NULL,
ADD COLUMN     "reason" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "state" "sweep_state" NOT NULL DEFAULT 'RUNNING';

-- CreateTable
CREATE TABLE "sweep_trial" (
    "sweep_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "point" JSONB NOT NULL,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sweep_trial_pkey" PRIMARY KEY ("sweep_id","number")
);

-- CreateIndex
CREATE INDEX "run_sweep_id_sweep_trial_idx" ON "run"("sweep_id", "sweep_trial");

-- CreateIndex
CREATE UNIQUE INDEX "sweep_number_key" ON "sweep"("number");

-- CreateIndex
CREATE INDEX "sweep_state_idx" ON "sweep"("state");

-- AddForeignKey
ALTER TABLE "sweep_trial" ADD CONSTRAINT "sweep_trial_sweep_id_fkey" FOREIGN KEY ("sweep_id") REFERENCES "sweep"("id") ON DELETE CASCADE ON UPDATE CASCADE;
