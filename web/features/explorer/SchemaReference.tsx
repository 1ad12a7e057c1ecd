import { type GraphQLField, type GraphQLSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import { useState } from 'react';

interface Entry {
  /** Such as `Run.history(names: [String!], maxPoints: Int): [MetricColumns!]!`. */
  text: string;
  description: string;
}

const MOST_SHOWN = 40;

function argumentsText({ args }: GraphQLField<unknown, unknown>): string {
  return args.length === 0 ? '' : `(${args.map(({ name, type }) => `${name}: ${type}`).join(', ')})`;
}

/** Everything that the schema describes, root fields first. */
function entriesOf(schema: GraphQLSchema): Entry[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const others = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !roots.some((root) => root?.name === type.name),
  );
  return [...roots, ...others].flatMap((type): Entry[] => {
    if (type == null) return [];
    const own = { text: type.name, description: type.description ?? '' };
    if (isEnumType(type)) {
      const values = type.getValues().map(({ name, description }) => ({ name, description }));
      return [
        own,
        ...values.map(({ name, description }) => ({ text: `${type.name}.${name}`, description: description ?? '' })),
      ];
    }
    if (!isObjectType(type) && !isInputObjectType(type)) return [own];
    const fields = Object.values(type.getFields()).map((field) => ({
      text: `${type.name}.${field.name}${'args' in field ? argumentsText(field) : ''}: ${field.type}`,
      description: field.description ?? '',
    }));
    return [own, ...fields];
  });
}

/** The schema to look things up in: types and fields whose name or description has the words. */
export function SchemaReference({ schema }: { schema: GraphQLSchema }) {
  const [words, setWords] = useState('Query.');
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entriesOf(schema).filter(({ text, description }) => {
    const searched = `${text} ${description}`.toLowerCase();
    return wanted.every((word) => searched.includes(word));
  });
  return (
    <section className="explorer-reference" aria-label="Schema">
      <input
        className="input"
        type="search"
        aria-label="Search the schema"
        placeholder="Search types and fields"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <p className="explorer-count">
        {found.length} found{found.length > MOST_SHOWN && `, ${MOST_SHOWN} shown`}
      </p>
      <dl>
        {found.slice(0, MOST_SHOWN).map(({ text, description }) => (
          <div key={text}>
            <dt className="mono">{text}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
