-- CreateEnum
CREATE TYPE "run_state" AS ENUM ('WAITING', 'QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "attempt_state" AS ENUM ('RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'LOST');

-- CreateEnum
CREATE TYPE "token_role" AS ENUM ('READ', 'WRITE', 'ADMIN');

-- CreateTable
CREATE TABLE "project" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "configuration" (
    "hash" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "kind_version" INTEGER NOT NULL,
    "dataset" JSONB,
    "dataset_name" TEXT,
    "parameters" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "configuration_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "run" (
    "id" UUID NOT NULL,
    "number" SERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "configuration_hash" TEXT NOT NULL,
    "seed" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "notes" TEXT NOT NULL DEFAULT '',
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "state" "run_state" NOT NULL,
    "priority" INTEGER NOT NULL DEFAULT 1000,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "max_attempts" INTEGER NOT NULL DEFAULT 5,
    "worker_id" UUID,
    "lease_expires_at" TIMESTAMPTZ(3),
    "not_before" TIMESTAMPTZ(3),
    "cancel_requested_at" TIMESTAMPTZ(3),
    "progress" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "progress_message" TEXT NOT NULL DEFAULT '',
    "metric_cursor" INTEGER NOT NULL DEFAULT 0,
    "error_code" TEXT,
    "error_message" TEXT,
    "error_stack" TEXT,
    "environment" JSONB NOT NULL DEFAULT '{}',
    "sweep_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempt" (
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "state" "attempt_state" NOT NULL,
    "worker_id" UUID,
    "worker_name" TEXT NOT NULL DEFAULT '',
    "backend" TEXT,
    "device" TEXT,
    "resumed_from_step" BIGINT,
    "error_code" TEXT,
    "error_message" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateTable
CREATE TABLE "run_input" (
    "run_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "source_run_id" UUID NOT NULL,
    "artifact_name" TEXT NOT NULL,

    CONSTRAINT "run_input_pkey" PRIMARY KEY ("run_id","name")
);

-- CreateTable
CREATE TABLE "metric_series" (
    "id" BIGSERIAL NOT NULL,
    "run_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "point_count" INTEGER NOT NULL DEFAULT 0,
    "last_step" BIGINT NOT NULL DEFAULT -1,
    "last_value" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "minimum" DOUBLE PRECISION,
    "maximum" DOUBLE PRECISION,

    CONSTRAINT "metric_series_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "metric_point" (
    "series_id" BIGINT NOT NULL,
    "step" BIGINT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "flush" INTEGER NOT NULL,

    CONSTRAINT "metric_point_pkey" PRIMARY KEY ("series_id","step")
);

-- CreateTable
CREATE TABLE "log_line" (
    "run_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "level" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "log_line_pkey" PRIMARY KEY ("run_id","attempt","line")
);

-- CreateTable
CREATE TABLE "artifact" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "step" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifact_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_event" (
    "id" BIGSERIAL NOT NULL,
    "run_id" UUID NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "type" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "run_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "worker" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "backend" TEXT NOT NULL,
    "device" TEXT NOT NULL,
    "slots" INTEGER NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "worker_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dataset" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "statistics" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dataset_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sweep" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "space" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sweep_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_token" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "role" "token_role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "project_name_key" ON "project"("name");

-- CreateIndex
CREATE INDEX "configuration_kind_dataset_name_idx" ON "configuration"("kind", "dataset_name");

-- CreateIndex
CREATE INDEX "configuration_parameters_idx" ON "configuration" USING GIN ("parameters" jsonb_path_ops);

-- CreateIndex
CREATE UNIQUE INDEX "run_number_key" ON "run"("number");

-- CreateIndex
CREATE INDEX "run_project_id_number_idx" ON "run"("project_id", "number");

-- CreateIndex
CREATE INDEX "run_configuration_hash_idx" ON "run"("configuration_hash");

-- CreateIndex
CREATE INDEX "run_state_priority_number_idx" ON "run"("state", "priority", "number");

-- CreateIndex
CREATE INDEX "run_worker_id_state_idx" ON "run"("worker_id", "state");

-- CreateIndex
CREATE INDEX "run_tags_idx" ON "run" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "run_sweep_id_idx" ON "run"("sweep_id");

-- CreateIndex
CREATE INDEX "run_input_source_run_id_idx" ON "run_input"("source_run_id");

-- CreateIndex
CREATE INDEX "metric_series_name_last_value_idx" ON "metric_series"("name", "last_value");

-- CreateIndex
CREATE UNIQUE INDEX "metric_series_run_id_name_key" ON "metric_series"("run_id", "name");

-- CreateIndex
CREATE INDEX "metric_point_series_id_flush_idx" ON "metric_point"("series_id", "flush");

-- CreateIndex
CREATE INDEX "artifact_sha256_idx" ON "artifact"("sha256");

-- CreateIndex
CREATE UNIQUE INDEX "artifact_run_id_name_key" ON "artifact"("run_id", "name");

-- CreateIndex
CREATE INDEX "run_event_run_id_id_idx" ON "run_event"("run_id", "id");

-- CreateIndex
CREATE INDEX "worker_last_seen_at_idx" ON "worker"("last_seen_at");

-- CreateIndex
CREATE UNIQUE INDEX "dataset_name_fingerprint_key" ON "dataset"("name", "fingerprint");

-- CreateIndex
CREATE INDEX "sweep_project_id_idx" ON "sweep"("project_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_token_name_key" ON "api_token"("name");

-- CreateIndex
CREATE UNIQUE INDEX "api_token_token_hash_key" ON "api_token"("token_hash");

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_configuration_hash_fkey" FOREIGN KEY ("configuration_hash") REFERENCES "configuration"("hash") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_worker_id_fkey" FOREIGN KEY ("worker_id") REFERENCES "worker"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_sweep_id_fkey" FOREIGN KEY ("sweep_id") REFERENCES "sweep"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_input" ADD CONSTRAINT "run_input_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_input" ADD CONSTRAINT "run_input_source_run_id_fkey" FOREIGN KEY ("source_run_id") REFERENCES "run"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "metric_series" ADD CONSTRAINT "metric_series_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "metric_point" ADD CONSTRAINT "metric_point_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "metric_series"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "log_line" ADD CONSTRAINT "log_line_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_event" ADD CONSTRAINT "run_event_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sweep" ADD CONSTRAINT "sweep_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
