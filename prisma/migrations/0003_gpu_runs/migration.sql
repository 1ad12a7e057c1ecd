-- AlterTable
ALTER TABLE "run" ADD COLUMN     "requires_gpu" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "worker" ADD COLUMN     "gpu" BOOLEAN NOT NULL DEFAULT false;
