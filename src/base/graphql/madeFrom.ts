/**
 * The fields of a class of the schema, where answers are records of a service as they are: `class Run implements
 * MadeFrom<RunRecord, Run>` compiles only while a record has every field of the class, of the same type.
 */
export type MadeFrom<Source extends Fields, Fields> = Fields & Pick<Source, never>;
