import { Ctx, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../context.ts';
import { Server } from '../types/server.ts';

@Resolver()
export class ServerResolver {
  @Query(() => Server, { description: 'What the server is, and what the caller may do.' })
  server(@Ctx() { version, role, mayManageQueue }: GraphqlContext): Server {
    return { version, role, mayManageQueue };
  }
}
