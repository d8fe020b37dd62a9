/** The gate through which everything passes that a connector says about posts. */
import type { Connector, Published } from '../contract.ts';

/**
 * Completes a connector: every id of a post that it returns is in the form of its `canonicalId`, however the platform
 * names the post in one place or another. The service compares stored ids only.
 */
export function defineConnector<C extends Connector>(connector: C): Readonly<C> {
  const { canonicalId, commit, confirm, verify, watch } = connector;
  const named = <R extends { then: string }>(result: R): R =>
    isPosted(result) ? { ...result, published: withId(result.published) } : result;
  const withId = (published: Published): Published => ({
    ...published,
    remoteId: published.remoteId === null ? null : canonicalId(published.remoteId),
  });
  const canonical: Pick<Connector, 'commit' | 'confirm' | 'verify' | 'watch'> = {
    commit: { ...commit, done: (...given) => named(commit.done(...given)) },
    confirm: async (...given) => named(await confirm(...given)),
    verify: async (...given) => named(await verify(...given)),
    ...(watch && {
      watch: {
        ...watch,
        async list(...given) {
          const page = await watch.list(...given);
          return { ...page, posts: page.posts.map((post) => ({ ...post, remoteId: canonicalId(post.remoteId) })) };
        },
      },
    }),
  };
  return Object.freeze({ ...connector, ...canonical });
}

function isPosted(result: { then: string }): result is { then: 'posted'; published: Published } {
  return result.then === 'posted';
}
