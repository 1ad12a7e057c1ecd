import { Field, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true })
export class Server {
  @Field(() => String)
  version!: string;

  @Field(() => String, { description: 'none where the server asks for no token, else READ, WRITE or ADMIN' })
  role!: string;
}
