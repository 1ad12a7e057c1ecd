import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { invariant } from '#src/base/lib/invariant.ts';
import { deleteView, listViews, saveView, setDefaultView, type ViewRecord } from '#src/views/savedViews.ts';
import type { ProjectRecord } from '#src/projects/store/projectRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { SaveViewInput } from './saveViewInput.ts';
import { viewBytes } from '#src/base/graphql/answerBudget.ts';
import { Project } from '#src/projects/api/project.ts';
import { View } from './view.ts';

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
