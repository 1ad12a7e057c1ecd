-- AlterTable
ALTER TABLE "run" ADD COLUMN     "added_kind" TEXT;
