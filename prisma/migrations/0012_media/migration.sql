-- CreateTable
CREATE TABLE "media" (
    "run_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "step" BIGINT NOT NULL,
    "place" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "caption" TEXT NOT NULL DEFAULT '',
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "sha256" TEXT,
    "media_type" TEXT,
    "size_bytes" BIGINT,
    "time" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "media_pkey" PRIMARY KEY ("run_id","name","step","place")
);

-- CreateTable
CREATE TABLE "metric_definition" (
    "run_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "step_metric" TEXT,
    "summary" TEXT,
    "goal" TEXT,

    CONSTRAINT "metric_definition_pkey" PRIMARY KEY ("run_id","name")
);

-- AlterTable
ALTER TABLE "database_identity" ADD COLUMN     "view_key" TEXT NOT NULL DEFAULT (gen_random_uuid()::text || gen_random_uuid()::text);

-- AddForeignKey
ALTER TABLE "media" ADD CONSTRAINT "media_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "metric_definition" ADD CONSTRAINT "metric_definition_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
