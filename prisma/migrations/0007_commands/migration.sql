-- AlterTable
ALTER TABLE "run" ADD COLUMN     "gpus" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
ADD COLUMN     "needs" JSONB;

-- AlterTable
ALTER TABLE "worker" ADD COLUMN     "offers" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "api_token" ADD COLUMN     "may_queue_commands" BOOLEAN NOT NULL DEFAULT false;
