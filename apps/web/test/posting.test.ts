import type { NewPost } from '@reelay/sdk';
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { isPosting } from '../src/drafts/posting.ts';
import { postMutationKeys } from '../src/queries/keys.ts';

test.each(['create', 'edit'] as const)('an upload counts only while its post is sent: %s', async (kind) => {
  const queries = new QueryClient();
  const response = Promise.withResolvers<string>();
  const mutation = new MutationObserver<string, Error, NewPost>(queries, {
    mutationKey: postMutationKeys[kind],
    mutationFn: () => response.promise,
  });
  const sent = mutation.mutate({ uploadId: 'u', platforms: ['a'] });
  expect([isPosting(queries, 'u'), isPosting(queries, 'another')]).toEqual([true, false]);
  response.resolve('done');
  await sent;
  expect(isPosting(queries, 'u')).toBe(false);
});
