import { expect, test } from 'vitest';
import { linesOfTags, tagChanges } from '#web/features/registry/tagLines.ts';

test('tags are typed one a line, and only what changed is sent', () => {
  const tags = { team: 'search', data: 'a=b', old: '' };
  const typed = linesOfTags(tags);
  expect(typed).toBe('team=search\ndata=a=b\nold=');
  expect(tagChanges(tags, typed)).toEqual({ changes: [] });
  expect(tagChanges(tags, ' team = ads \n\ndata=a=b\nnew=1')).toEqual({
    changes: [
      { key: 'old', value: null },
      { key: 'team', value: 'ads' },
      { key: 'new', value: '1' },
    ],
  });
  expect(tagChanges(tags, 'team')).toEqual({ problem: 'team: expected key=value.' });
  expect(tagChanges(tags, 'a=1\na=2')).toEqual({ problem: 'a is there twice.' });
});
