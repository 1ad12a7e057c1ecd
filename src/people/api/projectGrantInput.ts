import { Field, InputType } from 'type-graphql';
import { TokenRole } from '#src/base/graphql/enums.ts';

@InputType({ description: 'What a token is to do in one project.' })
export class ProjectGrantInput {
  @Field(() => String, { description: 'Name of the project.' })
  project!: string;

  @Field(() => TokenRole, { description: 'What may be done there.' })
  role!: keyof typeof TokenRole;
}

@InputType({ description: 'What a person is to do in one project.' })
export class UserGrantInput extends ProjectGrantInput {
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether workers also execute commands that the person queues there; the caller needs this right.',
  })
  mayQueueCommands!: boolean;
}
