-- AlterTable
ALTER TABLE "run_input" ADD COLUMN "sha256" TEXT;

-- CreateTable
CREATE TABLE "registry_entry" (
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "tags" JSONB NOT NULL DEFAULT '{}',
    "last_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "registry_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "registry_version" (
    "id" UUID NOT NULL,
    "entry_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "run_id" UUID,
    "artifact_name" TEXT,
    "sha256" TEXT,
    "source" TEXT NOT NULL DEFAULT '',
    "description" TEXT NOT NULL DEFAULT '',
    "tags" JSONB NOT NULL DEFAULT '{}',
    "stage" TEXT NOT NULL DEFAULT 'None',
    "state" TEXT NOT NULL DEFAULT 'READY',
    "run_link" TEXT,
    "logged_model_id" TEXT,
    "user_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "registry_version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "registry_file" (
    "version_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "artifact_name" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "media_type" TEXT NOT NULL,

    CONSTRAINT "registry_file_pkey" PRIMARY KEY ("version_id","path")
);

-- CreateTable
CREATE TABLE "registry_alias" (
    "entry_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "version_id" UUID NOT NULL,

    CONSTRAINT "registry_alias_pkey" PRIMARY KEY ("entry_id","name")
);

-- CreateTable
CREATE TABLE "registry_use" (
    "run_id" UUID NOT NULL,
    "version_id" UUID NOT NULL,
    "time" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "registry_use_pkey" PRIMARY KEY ("run_id","version_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "registry_entry_name_key" ON "registry_entry"("name");

-- CreateIndex
CREATE UNIQUE INDEX "registry_version_entry_id_number_key" ON "registry_version"("entry_id", "number");

-- CreateIndex
CREATE INDEX "registry_version_run_id_idx" ON "registry_version"("run_id");

-- CreateIndex
CREATE INDEX "registry_file_sha256_idx" ON "registry_file"("sha256");

-- CreateIndex
CREATE INDEX "registry_alias_version_id_idx" ON "registry_alias"("version_id");

-- CreateIndex
CREATE INDEX "registry_use_version_id_idx" ON "registry_use"("version_id");

-- AddForeignKey
ALTER TABLE "registry_version" ADD CONSTRAINT "registry_version_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "registry_entry"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registry_version" ADD CONSTRAINT "registry_version_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registry_file" ADD CONSTRAINT "registry_file_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "registry_version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registry_alias" ADD CONSTRAINT "registry_alias_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "registry_entry"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registry_alias" ADD CONSTRAINT "registry_alias_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "registry_version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registry_use" ADD CONSTRAINT "registry_use_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registry_use" ADD CONSTRAINT "registry_use_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "registry_version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A version that is deleted leaves its content to the collector, as an artifact does.
CREATE TRIGGER "registry_file_deleted" AFTER DELETE ON "registry_file"
FOR EACH ROW EXECUTE FUNCTION "release_artifact_content"();
