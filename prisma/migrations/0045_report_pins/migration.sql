-- The runs that each block of a report showed when a version was saved.
CREATE TABLE "report_pin" (
    "report_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "block" INTEGER NOT NULL,
    "project_id" UUID NOT NULL,
    "run_ids" UUID[] NOT NULL,
    "numbers" INTEGER[] NOT NULL,
    "matched" INTEGER NOT NULL,

    CONSTRAINT "report_pin_pkey" PRIMARY KEY ("report_id","version","block","project_id")
);

-- AddForeignKey
ALTER TABLE "report_pin" ADD CONSTRAINT "report_pin_report_id_version_fkey" FOREIGN KEY ("report_id", "version") REFERENCES "report_version"("report_id", "version") ON DELETE CASCADE ON UPDATE CASCADE;
