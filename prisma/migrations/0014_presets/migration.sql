-- AlterTable
ALTER TABLE "run" ADD COLUMN     "preset" TEXT;
