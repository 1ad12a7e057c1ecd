import { Field, ID, ObjectType } from 'type-graphql';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import { PageInfo } from './pageInfo.ts';

@ObjectType({ simpleResolvers: true })
export class Project {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  description!: string;

  @Field(() => dateTimeScalar)
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true })
export class ProjectEdge {
  @Field(() => String)
  cursor!: string;

  @Field(() => Project)
  node!: Project;
}

@ObjectType({ simpleResolvers: true })
export class ProjectConnection {
  @Field(() => [ProjectEdge])
  edges!: ProjectEdge[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}
