/** What MLflow's webhooks tell of: things of the registry, and what happens to them. */
const ACTIONS = {
  registered_model: ['created'],
  model_version: ['created'],
  model_version_tag: ['set', 'deleted'],
  model_version_alias: ['created', 'deleted'],
  prompt: ['created'],
  prompt_version: ['created'],
  prompt_tag: ['set', 'deleted'],
  prompt_version_tag: ['set', 'deleted'],
  prompt_alias: ['created', 'deleted'],
} as const;

type Entity = keyof typeof ACTIONS;
type EventOf<Name extends Entity> = Name extends Entity ? `${Name}.${(typeof ACTIONS)[Name][number]}` : never;
/** Such as `model_version.created`. */
export type RegistryEvent = EventOf<Entity>;

/** Things that have events, with the actions of each. */
export const REGISTRY_ENTITIES: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(ACTIONS));
