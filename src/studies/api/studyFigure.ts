import { Field, ID, Int, ObjectType } from 'type-graphql';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { describedEnum } from '#src/base/graphql/enums.ts';

export const PanelForm = describedEnum('PanelForm', 'How a panel of a figure is drawn.', {
  line: 'Lines over numbers.',
  bars: 'Bars by name.',
  picture: 'A picture that a run has left.',
});

@ObjectType({ simpleResolvers: true, description: 'An axis of a panel.' })
export class StudyAxis {
  @Field(() => String, { description: 'What stands on it.' })
  label!: string;

  @Field(() => Boolean, { description: 'Whether it is logarithmic.' })
  logarithmic!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'Points of a figure in columns, in their order.' })
export class StudySeries {
  @Field(() => String, { description: 'Name of the line.' })
  label!: string;

  @Field(() => [String], { description: 'Place on the x axis: a number, or the name of a bar.' })
  x!: string[];

  @Field(() => [metricValueScalar], {
    nullable: 'items',
    description: 'Mean over seeds; null where nothing is measured.',
  })
  means!: (number | null)[];

  @Field(() => [metricValueScalar], { nullable: 'items', description: 'Over seeds; null for one.' })
  standardDeviations!: (number | null)[];

  @Field(() => [Int], { description: 'Seeds of each point.' })
  seeds!: number[];

  @Field(() => [metricValueScalar], {
    nullable: 'items',
    description: "As read off the paper's figure; null where it is not.",
  })
  printed!: (number | null)[];

  @Field(() => Boolean, { description: 'Whether some of its runs had less than the paper gives.' })
  shortened!: boolean;

  @Field(() => String, { description: 'Why points are missing; empty where all are there.' })
  reason!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A picture that a run has left.' })
export class StudyPicture {
  @Field(() => ID, { description: 'Id of the artifact.' })
  artifactId!: string;

  @Field(() => String, { description: 'Name of the artifact.' })
  name!: string;

  @Field(() => ID, { description: 'Id of the run.' })
  runId!: string;

  @Field(() => Int, { description: 'Number of the run.' })
  runNumber!: number;
}

@ObjectType({ simpleResolvers: true, description: 'A panel of a figure.' })
export class StudyPanel {
  @Field(() => String, { description: 'What it shows.' })
  title!: string;

  @Field(() => PanelForm, { description: 'How it is drawn.' })
  form!: keyof typeof PanelForm;

  @Field(() => StudyAxis, { description: 'The horizontal axis.' })
  x!: StudyAxis;

  @Field(() => StudyAxis, { description: 'The vertical axis.' })
  y!: StudyAxis;

  @Field(() => [StudySeries], { description: 'Its lines or bars.' })
  series!: StudySeries[];

  @Field(() => StudyPicture, { nullable: true, description: 'Of the form picture, once a run has left it.' })
  picture!: StudyPicture | null;
}

@ObjectType({ simpleResolvers: true, description: 'A figure of a paper, drawn from finished runs.' })
export class StudyFigure {
  @Field(() => String, { description: 'Unique in the study.' })
  name!: string;

  @Field(() => String, { description: 'What is drawn.' })
  title!: string;

  @Field(() => String, { description: "What the paper's figure shows, in a sentence." })
  shows!: string;

  @Field(() => [StudyPanel], { description: 'Its panels.' })
  panels!: StudyPanel[];
}
