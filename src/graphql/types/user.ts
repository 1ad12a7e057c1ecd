import { Field, ID, ObjectType } from 'type-graphql';
import type { GrantedUser } from '#src/services/access/users.ts';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import { ProjectGrant } from './apiToken.ts';
import { TokenRole } from './enums.ts';
import type { MadeFrom } from './madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'Somebody who has signed in.' })
export class User implements MadeFrom<GrantedUser, User> {
  @Field(() => ID, { description: 'Identifies the user.' })
  id!: string;

  @Field(() => String, { description: 'The provider that knows the person.' })
  issuer!: string;

  @Field(() => String, { description: "The person's e-mail address; empty where the provider gives none." })
  email!: string;

  @Field(() => String, { description: "The person's name; empty where the provider gives none." })
  name!: string;

  @Field(() => TokenRole, {
    nullable: true,
    description: 'What the person may do in all projects, by groups at the last sign-in; null where only grants say.',
  })
  role!: keyof typeof TokenRole | null;

  @Field(() => Boolean, {
    description: 'Whether the person may queue commands in all projects, where the role is WRITE.',
  })
  mayQueueCommands!: boolean;

  @Field(() => [ProjectGrant], { description: 'What the person may do in some projects, by groups or by an admin.' })
  grants!: ProjectGrant[];

  @Field(() => dateTimeScalar, { description: 'When the person signed in first.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When the person signed in last.' })
  signedInAt!: Date | null;

  @Field(() => dateTimeScalar, {
    nullable: true,
    description: 'When an admin shut the person out; null: not disabled.',
  })
  disabledAt!: Date | null;
}
