-- CreateTable
CREATE TABLE "unsettled_content" (
    "id" BIGSERIAL NOT NULL,
    "sha256" TEXT NOT NULL,
    "run_id" UUID,
    "attempt" INTEGER,
    "name" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "unsettled_content_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "database_identity" (
    "only" BOOLEAN NOT NULL DEFAULT true,
    "id" UUID NOT NULL,

    CONSTRAINT "database_identity_pkey" PRIMARY KEY ("only")
);

-- CreateIndex
CREATE INDEX "unsettled_content_sha256_idx" ON "unsettled_content"("sha256");

-- CreateIndex
CREATE INDEX "unsettled_content_run_id_idx" ON "unsettled_content"("run_id");

-- Whatever takes a content away from an artifact (a newer checkpoint, a run deleted for good) leaves it to the collector.
CREATE FUNCTION "release_artifact_content"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "unsettled_content" ("sha256") VALUES (OLD."sha256");
  RETURN NULL;
END
$$;

CREATE TRIGGER "artifact_deleted" AFTER DELETE ON "artifact"
FOR EACH ROW EXECUTE FUNCTION "release_artifact_content"();

CREATE TRIGGER "artifact_replaced" AFTER UPDATE ON "artifact"
FOR EACH ROW WHEN (OLD."sha256" IS DISTINCT FROM NEW."sha256") EXECUTE FUNCTION "release_artifact_content"();
