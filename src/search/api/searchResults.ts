import { Field, ID, ObjectType } from 'type-graphql';
import type { Found, FoundStudy as FoundStudyRecord } from '#src/search/searchAll.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';
import { Project } from '#src/projects/api/project.ts';
import { Run } from '#src/runs/api/run.ts';
import { Sweep } from '#src/sweeps/api/sweep.ts';

@ObjectType({ simpleResolvers: true, description: 'A table or a figure of a paper, by name.' })
export class FoundStudy implements MadeFrom<FoundStudyRecord, FoundStudy> {
  @Field(() => ID, { description: 'Such as `overrec/table-2`; `study` takes it.' })
  name!: string;

  @Field(() => String, { description: 'What it shows.' })
  title!: string;
}

@ObjectType({ simpleResolvers: true, description: 'What a text was found in, a list of each sort.' })
export class SearchResults implements MadeFrom<Pick<Found, 'studies'>, Pick<SearchResults, 'studies'>> {
  @Field(() => [Run], { description: 'Runs by number, name or tag, the newest first; not those in the trash.' })
  runs!: Run[];

  @Field(() => [Project], { description: 'Projects, by name.' })
  projects!: Project[];

  @Field(() => [Sweep], { description: 'Sweeps by number or name, the newest first.' })
  sweeps!: Sweep[];

  @Field(() => [FoundStudy], { description: 'Studies by name or title.' })
  studies!: FoundStudy[];
}
