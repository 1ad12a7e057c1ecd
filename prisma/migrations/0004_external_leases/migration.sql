-- AlterEnum
ALTER TYPE "run_state" ADD VALUE 'CRASHED';

-- AlterTable
ALTER TABLE "run" ADD COLUMN     "last_heard_at" TIMESTAMPTZ(3),
ADD COLUMN     "lease_seconds" INTEGER;

-- CreateTable
CREATE TABLE "program_listener" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "last_listened_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "program_listener_pkey" PRIMARY KEY ("id")
);

-- Programs that run now get the lease of one without heartbeats, as if it had reported at this moment.
UPDATE "run" SET "lease_seconds" = 900, "last_heard_at" = now(), "lease_expires_at" = now() + interval '15 minutes'
FROM "configuration"
WHERE "configuration"."hash" = "run"."configuration_hash" AND "configuration"."kind" = 'external'
  AND "run"."state" = 'RUNNING';
