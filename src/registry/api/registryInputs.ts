import { Field, ID, InputType } from 'type-graphql';
import { RegistryStage, RegistryType } from './registry.ts';

@InputType({ description: 'A tag with its value.' })
export class RegistryTagInput {
  @Field(() => String, { description: 'Its name.' })
  key!: string;

  @Field(() => String, { description: 'Its value.' })
  value!: string;
}

@InputType({ description: 'A tag that is set or removed.' })
export class RegistryTagChange {
  @Field(() => String, { description: 'Its name.' })
  key!: string;

  @Field(() => String, { nullable: true, description: 'Its value from now on; null: the tag is removed.' })
  value?: string | null;
}

@InputType({ description: 'A model or dataset to make.' })
export class CreateRegistryEntryInput {
  @Field(() => RegistryType, { defaultValue: RegistryType.model, description: 'Whether it is a model or a dataset.' })
  type!: keyof typeof RegistryType;

  @Field(() => String, { description: 'Its name, not taken yet, without `/`, `:` and `@`.' })
  name!: string;

  @Field(() => String, { defaultValue: '', description: 'What it is.' })
  description!: string;

  @Field(() => [RegistryTagInput], { defaultValue: [], description: 'Its tags.' })
  tags!: RegistryTagInput[];
}

@InputType({ description: 'What changes of a model or dataset.' })
export class UpdateRegistryEntryInput {
  @Field(() => String, { description: 'Its name now.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Its name from now on; null: it stays.' })
  newName?: string | null;

  @Field(() => String, { nullable: true, description: 'What it is; null: that stays.' })
  description?: string | null;

  @Field(() => [RegistryTagChange], { nullable: true, description: 'Tags that change; null: none.' })
  tags?: RegistryTagChange[] | null;
}

@InputType({ description: 'Files of a run to register as the next version of a model or dataset.' })
export class RegisterVersionInput {
  @Field(() => String, { description: 'Name of the model or dataset; it is made when there is none.' })
  name!: string;

  @Field(() => RegistryType, {
    nullable: true,
    description: 'What it is; one that is there must be that. Null: whatever is there, else a model.',
  })
  type?: keyof typeof RegistryType | null;

  @Field(() => ID, { description: 'Id or number of the run that made the files.' })
  runId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The artifact, or a folder of artifacts; null: the only file that the run left.',
  })
  artifactName?: string | null;

  @Field(() => String, { defaultValue: '', description: 'What the version is.' })
  description!: string;

  @Field(() => [String], { defaultValue: [], description: 'Aliases that point to it from now on.' })
  aliases!: string[];

  @Field(() => [RegistryTagInput], { defaultValue: [], description: 'Its tags.' })
  tags!: RegistryTagInput[];
}

@InputType({ description: 'What changes of a version.' })
export class UpdateRegistryVersionInput {
  @Field(() => String, { description: 'The version: `NAME:VERSION` or `NAME@ALIAS`.' })
  version!: string;

  @Field(() => String, { nullable: true, description: 'What it is; null: that stays.' })
  description?: string | null;

  @Field(() => [RegistryTagChange], { nullable: true, description: 'Tags that change; null: none.' })
  tags?: RegistryTagChange[] | null;

  @Field(() => RegistryStage, { nullable: true, description: "MLflow's stage; null: it stays." })
  stage?: keyof typeof RegistryStage | null;
}
