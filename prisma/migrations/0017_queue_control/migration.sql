-- AlterTable
ALTER TABLE "worker" ADD COLUMN     "drain_requested_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "api_token" ADD COLUMN     "may_manage_queue" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "queue_pause" (
    "kind" TEXT NOT NULL,
    "paused_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "queue_pause_pkey" PRIMARY KEY ("kind")
);
