import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root, Field, InputType, Int } from 'type-graphql';
import { invariant } from '#src/base/lib/invariant.ts';
import { deleteView, listViews, saveView, setDefaultView, type ViewRecord } from '#src/views/savedViews.ts';
import type { ProjectRecord } from '#src/projects/store/projectRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { SortDirection, ViewLayout } from '#src/base/graphql/enums.ts';
import { viewBytes } from '#src/base/graphql/answerBudget.ts';
import { Project } from '#src/projects/api/project.ts';
import { View } from './view.ts';

@InputType({ description: 'A column of a view.' })
class ViewColumnInput {
  @Field(() => String, {
    description: 'What it shows: `state`, `metric."test/ndcg@10"`, `config.parameters.dimension`.',
  })
  name!: string;

  @Field(() => Int, { nullable: true, description: 'Its width in pixels, 40 to 2,000; null: the usual.' })
  width?: number | null;

  @Field(() => Boolean, { defaultValue: false, description: 'Whether it stays in sight while one scrolls sideways.' })
  pinned!: boolean;

  @Field(() => Boolean, { defaultValue: false, description: 'Whether its cells are colored by their values.' })
  shaded!: boolean;
}

@InputType({ description: 'What a view shows, and how; what is left out is as in a table that nobody changed.' })
class ViewSettingsInput {
  @Field(() => String, { defaultValue: '', description: 'Which runs; empty: all.' })
  filter!: string;

  @Field(() => String, { defaultValue: 'number', description: 'What they are ordered by, as `RunOrder.by`.' })
  orderBy!: string;

  @Field(() => SortDirection, { defaultValue: 'DESC', description: 'Which way they are ordered.' })
  direction!: keyof typeof SortDirection;

  @Field(() => [ViewColumnInput], {
    nullable: true,
    description: 'The columns in their order, 2,000 at most; null: the usual ones.',
  })
  columns?: ViewColumnInput[] | null;

  @Field(() => [Int], {
    defaultValue: [],
    description: 'Numbers of runs that stand above all others, whatever the filter says, 20 at most.',
  })
  pinnedRuns!: number[];

  @Field(() => [String], { defaultValue: [], description: 'Fields that runs are grouped by, 6 at most.' })
  groupBy!: string[];

  @Field(() => String, {
    nullable: true,
    description:
      'Which value of each run groups are summed up over: `best`, or the metric at whose best step it is; null: the last.',
  })
  values?: string | null;

  @Field(() => ID, { nullable: true, description: 'The group that the others are tested against; null: none.' })
  baseline?: string | null;

  @Field(() => ViewLayout, {
    defaultValue: 'TABLE',
    description: 'Whether the table, the curves of its runs, or both are shown.',
  })
  layout!: keyof typeof ViewLayout;

  @Field(() => Int, {
    defaultValue: 45,
    description: "The table's part of the page where curves stand beside it, in percent, 15 to 85.",
  })
  tableShare!: number;

  @Field(() => jsonScalar, {
    nullable: true,
    description:
      'The panels of curves, as `src/base/contracts/workspace.ts` describes them; null: one for each metric.',
  })
  workspace?: unknown;
}

@InputType({ description: 'A view to make, or to change.' })
class SaveViewInput {
  @Field(() => ID, { nullable: true, description: 'Id or number of a view to change; null: a new one is made.' })
  id?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the project of a new view; it is made when there is none.',
  })
  project?: string | null;

  @Field(() => String, { nullable: true, description: 'Its name; null: it keeps the one that it has.' })
  name?: string | null;

  @Field(() => ViewSettingsInput, { nullable: true, description: 'All settings from now on; null: they stay.' })
  settings?: ViewSettingsInput | null;
}

@Resolver(() => View)
export class ViewResolver {
  @Query(() => [View], { description: 'Saved views of the table of runs, by name; 200 at most.' })
  async views(
    @Arg('project', () => String, { nullable: true, description: 'Name of the project; null: of all.' }) project:
      | string
      | null
      | undefined,
    @Arg('name', () => String, {
      nullable: true,
      description: 'Only views of this name, or the one of this number, such as `#3`; null: all.',
    })
    name: string | null | undefined,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<ViewRecord[]> {
    return await loaders.budget.readWithin(async () => {
      const views = await listViews(services, project, name);
      return { result: views, bytes: viewBytes(views) };
    });
  }

  @Mutation(() => View, { description: 'Makes a view, or renames or changes one that is there.' })
  async saveView(
    @Arg('input', () => SaveViewInput, { description: 'The view.' }) input: SaveViewInput,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ViewRecord> {
    return await saveView(services, input);
  }

  @Mutation(() => View, { description: 'Deletes a view and answers what it was; its runs stay.' })
  async deleteView(
    @Arg('id', () => ID, { description: 'Id or number of the view.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ViewRecord> {
    return await deleteView(services, id);
  }

  @Mutation(() => View, {
    description: 'Makes a view what the table of its project shows where none is asked for, instead of the one before.',
  })
  async setDefaultView(
    @Arg('id', () => ID, { description: 'Id or number of the view.' }) id: string,
    @Arg('isDefault', () => Boolean, { defaultValue: true, description: 'False: the project has no default again.' })
    isDefault: boolean,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ViewRecord> {
    return await setDefaultView(services, id, isDefault);
  }

  @FieldResolver(() => Project, { description: 'Whose runs it shows.' })
  async project(@Root() view: ViewRecord, @Ctx() { loaders }: GraphqlContext): Promise<ProjectRecord> {
    const project = await loaders.project.load(view.projectId);
    invariant(project !== null, `view ${view.number} has no project`);
    return project;
  }
}
