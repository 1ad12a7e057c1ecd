-- AlterTable
ALTER TABLE "unsettled_content" ADD COLUMN "sender" TEXT;
