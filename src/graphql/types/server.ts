import { Field, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'The server that answers.' })
export class Server {
  @Field(() => String, { description: 'Version of Warren.' })
  version!: string;

  @Field(() => String, {
    description: '`none` where the server asks for no token, else the role of the caller: `READ`, `WRITE` or `ADMIN`.',
  })
  role!: string;

  @Field(() => Boolean, { description: 'Whether the caller may pause the queue and drain workers.' })
  mayManageQueue!: boolean;
}
