-- CreateEnum
CREATE TYPE "message_state" AS ENUM ('PENDING', 'SENT', 'FAILED');

-- CreateTable
CREATE TABLE "alert_rule" (
    "id" UUID NOT NULL,
    "number" SERIAL NOT NULL,
    "project_id" UUID,
    "name" TEXT NOT NULL,
    "condition" JSONB NOT NULL,
    "filter" TEXT NOT NULL DEFAULT '',
    "channels" JSONB NOT NULL,
    "secret" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "active_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "looked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert" (
    "id" UUID NOT NULL,
    "number" SERIAL NOT NULL,
    "rule_id" UUID,
    "project_id" UUID,
    "run_id" UUID,
    "key" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outgoing_message" (
    "id" UUID NOT NULL,
    "source_id" UUID,
    "channel" JSONB NOT NULL,
    "content" JSONB NOT NULL,
    "state" "message_state" NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "outgoing_message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_message" (
    "alert_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,

    CONSTRAINT "alert_message_pkey" PRIMARY KEY ("alert_id","message_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "alert_rule_number_key" ON "alert_rule"("number");

-- CreateIndex
CREATE INDEX "alert_rule_project_id_idx" ON "alert_rule"("project_id");

-- CreateIndex
CREATE UNIQUE INDEX "alert_number_key" ON "alert"("number");

-- CreateIndex
CREATE UNIQUE INDEX "alert_key_key" ON "alert"("key");

-- CreateIndex
CREATE INDEX "alert_project_id_number_idx" ON "alert"("project_id", "number");

-- CreateIndex
CREATE INDEX "alert_rule_id_idx" ON "alert"("rule_id");

-- CreateIndex
CREATE INDEX "alert_run_id_idx" ON "alert"("run_id");

-- CreateIndex
CREATE INDEX "outgoing_message_state_due_at_idx" ON "outgoing_message"("state", "due_at");

-- CreateIndex
CREATE INDEX "outgoing_message_source_id_idx" ON "outgoing_message"("source_id");

-- CreateIndex
CREATE INDEX "alert_message_message_id_idx" ON "alert_message"("message_id");

-- AddForeignKey
ALTER TABLE "alert_rule" ADD CONSTRAINT "alert_rule_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_message" ADD CONSTRAINT "alert_message_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alert"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_message" ADD CONSTRAINT "alert_message_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "outgoing_message"("id") ON DELETE CASCADE ON UPDATE CASCADE;
