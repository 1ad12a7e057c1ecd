import { Field, ID, Int, ObjectType } from 'type-graphql';
import type {
  ViewColumn as ViewColumnRecord,
  ViewSettings as ViewSettingsRecord,
} from '#src/base/contracts/viewSettings.ts';
import type { ViewRecord } from '#src/views/savedViews.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { SortDirection, ViewLayout } from '#src/base/graphql/enums.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'A column of a saved view.' })
export class ViewColumn implements MadeFrom<ViewColumnRecord, ViewColumn> {
  @Field(() => String, {
    description: 'What it shows: `state`, `metric."test/ndcg@10"`, `config.parameters.dimension`.',
  })
  name!: string;

  @Field(() => Int, { nullable: true, description: 'Its width in pixels; null: the usual.' })
  width!: number | null;

  @Field(() => Boolean, { description: 'Whether it stays in sight while one scrolls sideways.' })
  pinned!: boolean;

  @Field(() => Boolean, { description: 'Whether its cells are colored by their values.' })
  shaded!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'What a saved view shows, and how.' })
export class ViewSettings implements MadeFrom<ViewSettingsRecord, ViewSettings> {
  @Field(() => String, { description: 'Which runs; empty: all.' })
  filter!: string;

  @Field(() => String, { description: 'What they are ordered by, as `RunOrder.by`.' })
  orderBy!: string;

  @Field(() => SortDirection, { description: 'Which way they are ordered.' })
  direction!: keyof typeof SortDirection;

  @Field(() => [ViewColumn], { nullable: true, description: 'The columns in their order; null: the usual ones.' })
  columns!: ViewColumn[] | null;

  @Field(() => [Int], { description: 'Numbers of runs that stand above all others, whatever the filter says.' })
  pinnedRuns!: number[];

  @Field(() => [String], { description: 'Fields that runs are grouped by; none: they are not.' })
  groupBy!: string[];

  @Field(() => String, {
    nullable: true,
    description:
      'Which value of each run groups are summed up over: `best`, or the metric at whose best step it is; null: the last.',
  })
  values!: string | null;

  @Field(() => ID, { nullable: true, description: 'The group that the others are tested against; null: none.' })
  baseline!: string | null;

  @Field(() => ViewLayout, { description: 'Whether the table, the curves of its runs, or both are shown.' })
  layout!: keyof typeof ViewLayout;

  @Field(() => Int, { description: "The table's part of the page where curves stand beside it, in percent." })
  tableShare!: number;

  @Field(() => jsonScalar, {
    nullable: true,
    description:
      'The panels of curves, as `src/base/contracts/workspace.ts` describes them; null: one for each metric.',
  })
  workspace!: ViewSettingsRecord['workspace'];
}

@ObjectType({
  simpleResolvers: true,
  description: "A named way of looking at the table of a project's runs, shared with all who read the project.",
})
export class View implements MadeFrom<ViewRecord, View> {
  @Field(() => ID, { description: 'Never changes; also its number names it.' })
  id!: string;

  @Field(() => Int, { description: 'Counts views in the order of creation.' })
  number!: number;

  @Field(() => String, { description: 'What people call it; unique in its project.' })
  name!: string;

  @Field(() => Boolean, { description: 'Whether the table of the project shows it where no view is asked for.' })
  isDefault!: boolean;

  @Field(() => ViewSettings, { description: 'What it shows, and how.' })
  settings!: ViewSettings;

  @Field(() => dateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, { description: 'When it was saved or renamed last.' })
  updatedAt!: Date;
}
