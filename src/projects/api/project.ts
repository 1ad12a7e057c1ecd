import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { ProjectPage } from '#src/projects/listProjects.ts';
import type { ProjectActivity as ProjectActivityRecord } from '#src/projects/store/projectActivity.ts';
import type { ProjectRecord } from '#src/projects/store/projectRecord.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { PageInfo } from '#src/base/graphql/pageInfo.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'A named group of runs.' })
export class Project implements MadeFrom<ProjectRecord, Project> {
  @Field(() => ID, { description: 'Identifies the project.' })
  id!: string;

  @Field(() => String, { description: 'Its name; unique.' })
  name!: string;

  @Field(() => String, { description: 'What it is about; may be empty.' })
  description!: string;

  @Field(() => dateTimeScalar, { description: 'When it was made, by hand or by its first run.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, {
    nullable: true,
    description:
      'When it went to the trash, and its runs with it; null when it is not there. Its next run takes it back.',
  })
  deletedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'How it goes with the runs of a project that are not in the trash.' })
export class ProjectActivity implements MadeFrom<ProjectActivityRecord, ProjectActivity> {
  @Field(() => Int, { description: 'Runs that are executed now.' })
  running!: number;

  @Field(() => Int, { description: 'Runs that wait for a worker or for inputs.' })
  queued!: number;

  @Field(() => Int, { description: 'Runs that ended since the time that was given.' })
  ended!: number;

  @Field(() => Int, { description: 'Those of them that failed, or whose program is gone.' })
  failed!: number;

  @Field(() => dateTimeScalar, { description: 'When a run of it began or ended last.' })
  lastActiveAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A project within a page.' })
export class ProjectEdge {
  @Field(() => String, { description: 'Its position, to be given as `after`.' })
  cursor!: string;

  @Field(() => Project, { description: 'The project.' })
  node!: Project;
}

@ObjectType({ simpleResolvers: true, description: 'A page of projects.' })
export class ProjectConnection implements MadeFrom<ProjectPage, ProjectConnection> {
  @Field(() => [ProjectEdge], { description: 'The projects of the page.' })
  edges!: ProjectEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}
