/** What MLflow's own examples of events say (mlflow/webhooks/types.py). */
export function exampleOf(entity: string, action: string): Record<string, unknown> {
  const what = entity.startsWith('prompt') ? 'prompt' : 'model';
  const name = `example_${what}`;
  const facts = { tags: { example_key: 'example_value' } };
  const version = '1';
  if (entity === 'registered_model' || entity === 'prompt') {
    return { name, ...facts, description: what === 'model' ? 'An example registered model' : 'An example prompt' };
  }
  if (entity === 'model_version') {
    const origin = { source: 'models:/123', run_id: 'abcd1234abcd5678' };
    return { name, version, ...origin, ...facts, description: 'An example model version' };
  }
  if (entity === 'prompt_version') {
    return { name, version, template: 'Hello {{name}}!', ...facts, description: 'An example prompt version' };
  }
  if (entity.endsWith('_alias')) {
    return { name, alias: 'example_alias', ...(action === 'created' && { version }) };
  }
  return {
    name,
    ...(entity === 'prompt_tag' ? {} : { version }),
    key: 'example_key',
    ...(action === 'set' && { value: 'example_value' }),
  };
}
