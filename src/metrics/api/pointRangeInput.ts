import { Field, Float, InputType, Int } from 'type-graphql';
import type { PointPlace, PointRange } from '#src/base/contracts/pointRange.ts';
import { stepScalar } from '#src/base/graphql/stepScalar.ts';

@InputType({ description: 'Where a point is in its series.' })
export class PointPlaceInput implements PointPlace {
  @Field(() => stepScalar, { description: 'Its step.' })
  step!: number;

  @Field(() => Float, { description: 'When it was measured, in whole Unix milliseconds.' })
  timeMs!: number;
}

@InputType({
  description:
    'All points of one metric between two places, told by what they are. Points are in the order of their steps, those of one step in the order of their times.',
})
export class PointRangeInput implements PointRange {
  @Field(() => String, { description: 'Name of the metric.' })
  name!: string;

  @Field(() => PointPlaceInput, { description: 'Where the first point is.' })
  first!: PointPlace;

  @Field(() => PointPlaceInput, { description: 'Where the last point is.' })
  last!: PointPlace;

  @Field(() => Int, { description: 'How many points these are, each step, time and value once.' })
  count!: number;

  @Field(() => String, {
    description:
      'Hexadecimal digits of the sha256 of the points by step, time and value, NaN last: step and time as integers of 64 bits, the value as a float of 64 bits, big-endian. NaN is 7FF8000000000000, and zero has no sign.',
  })
  sha256!: string;
}
