import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { deleteProject, editProject, undeleteProject } from '#src/projects/changeProject.ts';
import { createProject } from '#src/projects/createProject.ts';
import { listProjects, type ProjectPage } from '#src/projects/listProjects.ts';
import { listRuns, type RunPage } from '#src/runs/listRuns.ts';
import { findProjectByName, type ProjectRecord } from '#src/projects/store/projectRecord.ts';
import { type GraphqlContext, requireEverything } from '#src/base/graphql/context.ts';
import { RunOrder } from '#src/runs/api/runOrder.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { Project, ProjectActivity, ProjectConnection } from './project.ts';
import { RunConnection } from '#src/runs/api/run.ts';
import { AFTER_RUNS, FIRST_RUNS, RUN_FILTER, RUN_ORDER } from '#src/base/graphql/pageArguments.ts';

/** Entries of an index that the activity of a project takes, beside its news. */
const ACTIVITY_COST = 10;

@Resolver(() => Project)
export class ProjectResolver {
  @Query(() => Project, { nullable: true, description: 'A project by its name; null where there is none.' })
  async project(
    @Arg('name', () => String, { description: 'Its name.' }) name: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ProjectRecord | null> {
    return await findProjectByName(services.db, name);
  }

  @Query(() => ProjectConnection, { description: 'Projects by name.' })
  async projects(
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: 50,
      description: 'Projects of the page at most, 0 to 500.',
    })
    first: number | null,
    @Arg('after', () => String, AFTER_RUNS)
    after: string | null | undefined,
    @Arg('deleted', () => Boolean, { defaultValue: false, description: 'Those in the trash instead of all others.' })
    deleted: boolean,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<ProjectPage> {
    return await loaders.budget.read(async () => {
      const page = await listProjects(services, { first: pageSize(first), after: after ?? null, deleted });
      return { result: page, bytes: page.edges.reduce((sum, { node }) => sum + node.description.length, 0) };
    });
  }

  @Mutation(() => Project, { description: 'Makes a project.' })
  async createProject(
    @Arg('name', () => String, { description: 'Its name, not taken yet.' }) name: string,
    @Arg('description', () => String, { defaultValue: '', description: 'What it is about.' }) description: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ProjectRecord> {
    return await createProject(services, { name, description });
  }

  @Mutation(() => Project, {
    description:
      'Renames a project, or sets what it is about. Runs, sweeps, views, reports and tokens stay with it; a program that names the old name makes a new project. A token for some projects alone cannot rename.',
  })
  async editProject(
    @Arg('project', () => String, { description: 'Its name.' }) project: string,
    @Arg('name', () => String, { nullable: true, description: 'A name that is not taken; null: stays.' })
    name: string | null | undefined,
    @Arg('description', () => String, { nullable: true, description: 'What it is about; null: stays.' })
    description: string | null | undefined,
    @Ctx() { services, writes }: GraphqlContext,
  ): Promise<ProjectRecord> {
    // a name that is taken would tell of another project
    if (name != null) requireEverything({ reads: writes }, 'renaming a project');
    return await editProject(services, { project, name, description });
  }

  @Mutation(() => Project, {
    description: 'Moves a project to the trash, with its runs. Refused while runs, sweeps or comparisons of it go on.',
  })
  async deleteProject(
    @Arg('project', () => String, { description: 'Its name.' }) project: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ProjectRecord> {
    return await deleteProject(services, project);
  }

  @Mutation(() => Project, { description: 'Takes a project out of the trash, with the runs that went there with it.' })
  async undeleteProject(
    @Arg('project', () => String, { description: 'Its name.' }) project: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ProjectRecord> {
    return await undeleteProject(services, project);
  }

  @FieldResolver(() => Int, { description: 'How many runs it has that are not in the trash.' })
  async runCount(@Root() project: ProjectRecord, @Ctx() { loaders }: GraphqlContext): Promise<number> {
    return await loaders.runCount.load(project.id);
  }

  @FieldResolver(() => ProjectActivity, {
    nullable: true,
    description: 'How it goes with its runs; null where it has none.',
    complexity: ({ childComplexity }) => ACTIVITY_COST + childComplexity,
  })
  async activity(
    @Root() project: ProjectRecord,
    @Arg('since', () => dateTimeScalar, { description: 'Ends are counted since then.' }) since: Date,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<ProjectActivity | null> {
    return (await loaders.activity.load(project.id, since.getTime()))[0] ?? null;
  }

  @FieldResolver(() => RunConnection, { description: 'Its runs that are not in the trash, the newest first.' })
  async runs(
    @Root() project: ProjectRecord,
    @Arg('filter', () => String, RUN_FILTER)
    filter: string | null | undefined,
    @Arg('orderBy', () => RunOrder, RUN_ORDER) orderBy: RunOrder | null | undefined,
    @Arg('first', () => Int, FIRST_RUNS)
    first: number | null,
    @Arg('after', () => String, AFTER_RUNS)
    after: string | null | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunPage> {
    const page = { first: pageSize(first), after: after ?? null };
    return await listRuns(services, { project: project.name, filter, orderBy, ...page });
  }
}
