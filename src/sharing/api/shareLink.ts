import { Field, ID, ObjectType } from 'type-graphql';
import type { ShareLinkRecord } from '#src/sharing/store/shareLink.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'A read-only link, without its secret.' })
export class ShareLink implements MadeFrom<ShareLinkRecord, ShareLink> {
  @Field(() => ID, { description: 'Identifies the link.' })
  id!: string;

  @Field(() => String, { description: '`run`, `comparison`, `report` or `view`, which is the table of a project.' })
  kind!: string;

  @Field(() => String, { description: 'What people read above the page.' })
  title!: string;

  @Field(() => String, { description: 'Name of the project whose members may withdraw it.' })
  project!: string;

  @Field(() => Boolean, { description: 'Whether it shows code, command and surroundings of programs, too.' })
  withProgram!: boolean;

  @Field(() => String, { description: 'Who made it.' })
  madeBy!: string;

  @Field(() => dateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true, description: 'From when on it is void; null: never.' })
  expiresAt!: Date | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it was withdrawn; null: not.' })
  withdrawnAt!: Date | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it was last used, to the minute; null: never.' })
  usedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A link that was just made.' })
export class MadeShareLink {
  @Field(() => String, { description: 'The token that it is. Shown this once, and kept nowhere.' })
  secret!: string;

  @Field(() => String, {
    description:
      'The address to give away, relative to the dashboard. The secret stands after `#`, which browsers send to no server.',
  })
  address!: string;

  @Field(() => ShareLink, { description: 'What is kept of it.' })
  link!: ShareLink;
}

@ObjectType({ simpleResolvers: true, description: 'What the caller sees who came by a link.' })
export class SharedPage {
  @Field(() => String, { description: 'What people read above the page.' })
  title!: string;

  @Field(() => String, { description: 'The page of the dashboard that shows it.' })
  page!: string;
}
