import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { CELL_VERDICTS, CLAIM_VERDICTS, STUDY_STATES } from '#src/studies/verdicts/studyReport.ts';
import { STUDY_FORMATS } from '#src/studies/exports/exportStudies.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { describedEnum, RunState } from '#src/base/graphql/enums.ts';
import { StudyFigure } from './studyFigure.ts';

export const CellVerdict = describedEnum('CellVerdict', 'What is to be said of a cell.', CELL_VERDICTS);
export const ClaimVerdict = describedEnum('ClaimVerdict', 'What is to be said of a claim.', CLAIM_VERDICTS);
export const StudyState = describedEnum('StudyState', 'How far a study is.', STUDY_STATES);
export const StudyFormat = describedEnum('StudyFormat', 'Ways in which a study leaves Warren.', STUDY_FORMATS);
export const StudyBudget = describedEnum('StudyBudget', 'How much a study gives its runs.', {
  quick: 'Minutes on two cores; what is shortened for it is marked.',
  paper: "The authors' settings.",
});

@ObjectType({ simpleResolvers: true, description: 'A row or a column of a table.' })
export class StudyLine {
  @Field(() => String, { description: 'By which it is chosen.' })
  name!: string;

  @Field(() => String, { description: 'As the paper calls it.' })
  label!: string;

  @Field(() => String, { description: 'What it has in common with its neighbors; empty without a group.' })
  group!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A run behind a number.' })
export class StudyRunReference {
  @Field(() => ID, { description: 'Id of the run.' })
  id!: string;

  @Field(() => Int, { description: 'Number of the run.' })
  number!: number;

  @Field(() => Int, { description: 'Its seed.' })
  seed!: number;
}

@ObjectType({ simpleResolvers: true, description: 'A number as a paper prints it.' })
export class PrintedNumber {
  @Field(() => metricValueScalar, { description: 'In its own unit.' })
  value!: number;

  @Field(() => metricValueScalar, { nullable: true, description: 'Printed with it; null without.' })
  standardDeviation!: number | null;

  @Field(() => Int, { nullable: true, description: 'Runs behind it, where the paper says so.' })
  n!: number | null;

  @Field(() => String, { nullable: true, description: 'Where it stands, if not in the table itself.' })
  place!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A cell of a table: printed, measured, and what is to be said of both.',
})
export class StudyCell {
  @Field(() => String, { description: 'Name of its row.' })
  row!: string;

  @Field(() => String, { description: 'Name of its column.' })
  column!: string;

  @Field(() => Int, { description: 'Decimals shown.' })
  digits!: number;

  @Field(() => PrintedNumber, { nullable: true, description: 'Null where the paper prints none.' })
  printed!: PrintedNumber | null;

  @Field(() => metricValueScalar, {
    nullable: true,
    description: 'Measured, in the printed unit: the mean over seeds.',
  })
  mean!: number | null;

  @Field(() => metricValueScalar, { nullable: true, description: 'Over seeds; null for one.' })
  standardDeviation!: number | null;

  @Field(() => Int, { description: 'Seeds.' })
  n!: number;

  @Field(() => metricValueScalar, { nullable: true, description: 'Measured less printed.' })
  difference!: number | null;

  @Field(() => String, { description: 'The printed number as people read it; empty where there is none.' })
  printedText!: string;

  @Field(() => String, { description: 'Mean ± deviation (seeds) as people read it; empty where nothing is measured.' })
  measuredText!: string;

  @Field(() => String, { description: 'The difference with its sign; empty where there is none.' })
  differenceText!: string;

  @Field(() => CellVerdict, { description: 'What is to be said of it.' })
  verdict!: keyof typeof CellVerdict;

  @Field(() => String, { description: 'Why, in words.' })
  reason!: string;

  @Field(() => [StudyRunReference], { description: 'The runs behind it, the first fifty.' })
  runs!: StudyRunReference[];
}

@ObjectType({ simpleResolvers: true, description: 'One part of a claim: a comparison, or a range for a value.' })
export class StudyStatement {
  @Field(() => String, { description: 'What it states.' })
  words!: string;

  @Field(() => ClaimVerdict, { description: 'What is to be said of it.' })
  verdict!: keyof typeof ClaimVerdict;

  @Field(() => metricValueScalar, {
    nullable: true,
    description: 'Above less below; the value itself where it is to lie in a range; null where nothing is measured.',
  })
  difference!: number | null;

  @Field(() => metricValueScalar, { nullable: true, description: 'Lower end of its 95 % confidence interval.' })
  low!: number | null;

  @Field(() => metricValueScalar, { nullable: true, description: 'Upper end of its 95 % confidence interval.' })
  high!: number | null;

  @Field(() => Float, { nullable: true, description: 'Two-sided; null where nothing is tested.' })
  p!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: "After Holm's correction over all that the study's claims state; null where it decides nothing.",
  })
  pHolm!: number | null;

  @Field(() => String, { description: 'What was tested, over what; empty without a test.' })
  test!: string;

  @Field(() => String, { description: 'Why it is not tested or not decided; empty where all is well.' })
  reason!: string;

  @Field(() => [StudyRunReference], { description: 'The runs behind it, the first fifty.' })
  runs!: StudyRunReference[];
}

@ObjectType({ simpleResolvers: true, description: 'A statement of a paper, and what the runs say of it.' })
export class StudyClaim {
  @Field(() => String, { description: 'Unique in the study.' })
  name!: string;

  @Field(() => String, { description: 'What the paper says.' })
  text!: string;

  @Field(() => String, { description: 'Where it says so.' })
  source!: string;

  @Field(() => ClaimVerdict, { description: 'What is to be said of it.' })
  verdict!: keyof typeof ClaimVerdict;

  @Field(() => String, { description: 'Why, in words; empty where all is well.' })
  reason!: string;

  @Field(() => [StudyStatement], { description: 'All that must hold for it.' })
  statements!: StudyStatement[];
}

@ObjectType({ simpleResolvers: true, description: 'A run of an arm.' })
export class StudyArmRun extends StudyRunReference {
  @Field(() => RunState, { description: 'How far it is.' })
  state!: keyof typeof RunState;
}

@ObjectType({ simpleResolvers: true, description: 'One configuration of a study, with its runs.' })
export class StudyArm {
  @Field(() => String, { description: 'Unique in the study.' })
  name!: string;

  @Field(() => String, { description: 'As the paper calls it.' })
  label!: string;

  @Field(() => String, { description: 'Kind of its runs.' })
  kind!: string;

  @Field(() => String, { nullable: true, description: 'Its dataset; null for kinds without.' })
  dataset!: string | null;

  @Field(() => ID, { description: "Of the configuration of its finished runs, else of the paper's." })
  configurationHash!: string;

  @Field(() => Boolean, { description: 'Whether its finished runs had less than the paper gives.' })
  shortened!: boolean;

  @Field(() => String, { nullable: true, description: 'Why it cannot be run; null where it can.' })
  notRunnable!: string | null;

  @Field(() => [StudyArmRun], {
    description: 'One finished run a seed, then those under way, else the newest that failed.',
  })
  runs!: StudyArmRun[];
}

@ObjectType({ simpleResolvers: true, description: 'A run that was computed again, and whether the same came out.' })
export class StudyAudit {
  @Field(() => String, { description: 'Name of the arm.' })
  arm!: string;

  @Field(() => Int, { description: 'Seed of both.' })
  seed!: number;

  @Field(() => Int, { description: 'Number of the first run.' })
  first!: number;

  @Field(() => Int, { description: 'Number of the run that repeats it.' })
  again!: number;

  @Field(() => Boolean, { nullable: true, description: 'Null while the second has not ended.' })
  agrees!: boolean | null;

  @Field(() => String, { description: 'The metric that differs most, or why there is nothing to compare.' })
  reason!: string;
}

@ObjectType({ simpleResolvers: true, description: 'By what the numbers of a study were computed.' })
export class StudyProvenance {
  @Field(() => [String], { description: 'Commits, or versions, of the code of its runs.' })
  commits!: string[];

  @Field(() => [String], { description: 'Processors.' })
  machines!: string[];

  @Field(() => String, {
    nullable: true,
    description: 'When the first of its runs ended, as an ISO date; null without runs.',
  })
  from!: string | null;

  @Field(() => String, { nullable: true, description: 'When the last of its runs ended.' })
  to!: string | null;
}

/** The fields that need more than the report are in `resolvers/studyResolver.ts`. */
@ObjectType({
  simpleResolvers: true,
  description: 'A table or a figure of a paper beside what its runs have measured.',
})
export class Study {
  @Field(() => ID, { description: 'Such as `overrec/table-2`.' })
  name!: string;

  @Field(() => String, { description: 'Short name of the paper.' })
  paper!: string;

  @Field(() => String, { description: 'What is shown.' })
  title!: string;

  @Field(() => String, { description: 'Where it stands in the paper.' })
  source!: string;

  @Field(() => String, { description: 'What a reader must know to compare; may be empty.' })
  notes!: string;

  @Field(() => String, { nullable: true, description: 'Why nothing of it can be run; null where something can.' })
  notRunnable!: string | null;

  @Field(() => StudyState, { description: 'How far it is.' })
  state!: keyof typeof StudyState;

  @Field(() => [StudyLine], { description: 'Rows of the table; none for studies without.' })
  rows!: StudyLine[];

  @Field(() => [StudyLine], { description: 'Columns of the table.' })
  columns!: StudyLine[];

  @Field(() => String, { description: 'Unit of the printed numbers; may be empty.' })
  unit!: string;

  @Field(() => [StudyCell], { description: 'Cells of the table.' })
  cells!: StudyCell[];

  @Field(() => [StudyClaim], { description: 'What the paper says of it.' })
  claims!: StudyClaim[];

  @Field(() => [StudyFigure], { description: 'Figures, drawn from finished runs.' })
  figures!: StudyFigure[];

  @Field(() => [StudyArm], { description: 'Its configurations with their runs.' })
  arms!: StudyArm[];

  @Field(() => [StudyAudit], { description: 'Runs that were computed twice.' })
  audits!: StudyAudit[];

  @Field(() => StudyProvenance, { description: 'By what its numbers were computed.' })
  provenance!: StudyProvenance;
}
