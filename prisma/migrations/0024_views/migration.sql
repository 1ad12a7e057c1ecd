-- CreateTable
CREATE TABLE "run_view" (
    "id" UUID NOT NULL,
    "number" SERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_view_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "run_view_number_key" ON "run_view"("number");

-- CreateIndex
CREATE UNIQUE INDEX "run_view_project_id_name_key" ON "run_view"("project_id", "name");

-- AddForeignKey
ALTER TABLE "run_view" ADD CONSTRAINT "run_view_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
