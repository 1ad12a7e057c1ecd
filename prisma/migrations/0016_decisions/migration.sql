-- CreateEnum
CREATE TYPE "decision_state" AS ENUM ('RUNNING', 'DECIDED', 'FUTILE', 'UNDECIDED', 'FAILED', 'CANCELLED');

-- CreateTable
CREATE TABLE "decision" (
    "id" UUID NOT NULL,
    "number" SERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "state" "decision_state" NOT NULL DEFAULT 'RUNNING',
    "reason" TEXT NOT NULL DEFAULT '',
    "plan" JSONB NOT NULL,
    "looks" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "decision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "decision_pair" (
    "decision_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "seed" INTEGER NOT NULL,
    "run_a_id" UUID,
    "run_b_id" UUID,
    "reused_a" BOOLEAN NOT NULL,
    "reused_b" BOOLEAN NOT NULL,
    "value_a" DOUBLE PRECISION,
    "value_b" DOUBLE PRECISION,
    "problem" TEXT,

    CONSTRAINT "decision_pair_pkey" PRIMARY KEY ("decision_id","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "decision_number_key" ON "decision"("number");

-- CreateIndex
CREATE INDEX "decision_project_id_idx" ON "decision"("project_id");

-- CreateIndex
CREATE INDEX "decision_ended_at_idx" ON "decision"("ended_at");

-- CreateIndex
CREATE INDEX "decision_pair_run_a_id_idx" ON "decision_pair"("run_a_id");

-- CreateIndex
CREATE INDEX "decision_pair_run_b_id_idx" ON "decision_pair"("run_b_id");

-- AddForeignKey
ALTER TABLE "decision" ADD CONSTRAINT "decision_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decision_pair" ADD CONSTRAINT "decision_pair_decision_id_fkey" FOREIGN KEY ("decision_id") REFERENCES "decision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decision_pair" ADD CONSTRAINT "decision_pair_run_a_id_fkey" FOREIGN KEY ("run_a_id") REFERENCES "run"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decision_pair" ADD CONSTRAINT "decision_pair_run_b_id_fkey" FOREIGN KEY ("run_b_id") REFERENCES "run"("id") ON DELETE SET NULL ON UPDATE CASCADE;
