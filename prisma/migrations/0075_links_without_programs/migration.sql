-- A link shows the code, command and surroundings of programs only where its maker has said so.
ALTER TABLE "share_link" ADD COLUMN "with_program" boolean NOT NULL DEFAULT false;
