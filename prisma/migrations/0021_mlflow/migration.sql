-- AlterTable
ALTER TABLE "project" ADD COLUMN     "artifact_location" TEXT,
ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "number" SERIAL NOT NULL,
ADD COLUMN     "tags" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- Projects that are there are counted in the order of their creation.
UPDATE "project" SET "number" = "counted"."number", "updated_at" = "project"."created_at"
FROM (SELECT "id", row_number() OVER (ORDER BY "created_at", "name")::int AS "number" FROM "project") "counted"
WHERE "counted"."id" = "project"."id";

-- CreateIndex
CREATE UNIQUE INDEX "project_number_key" ON "project"("number");

-- AlterTable
ALTER TABLE "run" ADD COLUMN     "parameter_texts" JSONB,
ADD COLUMN     "reported_status" TEXT,
ADD COLUMN     "user_name" TEXT;

-- AlterTable
ALTER TABLE "metric_series" ADD COLUMN     "last_time" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "metric_repeat" (
    "series_id" BIGINT NOT NULL,
    "step" BIGINT NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "metric_repeat_pkey" PRIMARY KEY ("series_id","step","time","value")
);

-- CreateTable
CREATE TABLE "dataset_input" (
    "id" BIGSERIAL NOT NULL,
    "run_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "source_type" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "schema" TEXT,
    "profile" TEXT,
    "tags" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "dataset_input_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "dataset_input_run_id_name_digest_key" ON "dataset_input"("run_id", "name", "digest");

-- AddForeignKey
ALTER TABLE "metric_repeat" ADD CONSTRAINT "metric_repeat_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "metric_series"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dataset_input" ADD CONSTRAINT "dataset_input_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
