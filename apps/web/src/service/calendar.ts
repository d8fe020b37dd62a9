/** Posts of a range of time, and moving them. */
import type { FoundPost, ReelayClient } from '@reelay/sdk';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './service-client.ts';

export interface CalendarPosts {
  posts: FoundPost[];
  /** Whether the range has no more posts. */
  isComplete: boolean;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 10;
/** How often the range is read again, in ms. */
const REFRESH_MS = 15_000;

/** Posts between two moments in ms since the epoch, at most 1,000. */
export const calendarQuery = (client: ReelayClient, { from, to }: { from: number; to: number }) =>
  queryOptions({
    queryKey: ['calendar', from, to],
    queryFn: async ({ signal }): Promise<CalendarPosts> => {
      // A post that is moved between two pages is on both.
      const posts = new Map<string, FoundPost>();
      let next: string | null = null;
      for (let page = 0; page < MAX_PAGES && (page === 0 || next !== null); page += 1) {
        const options = { limit: PAGE_SIZE, signal, ...(next === null ? {} : { cursor: next }) };
        const found = await client.posts.calendar({ from, to }, options);
        for (const post of found.data) posts.set(post.id, post);
        next = found.next;
      }
      return { posts: [...posts.values()], isComplete: next === null };
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });

export interface Move {
  id: string;
  /** ms since the epoch. */
  at: number;
}

/** The posts with one of them at another time. */
export function withMove(shown: CalendarPosts | undefined, { id, at }: Move): CalendarPosts | undefined {
  if (!shown) return undefined;
  const date = new Date(at).toISOString();
  return { ...shown, posts: shown.posts.map((post) => (post.id === id ? { ...post, date } : post)) };
}

/** Changes the time of a post. It is shown there at once, and moves back if the service refuses. */
export function useReschedule() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    scope: { id: 'reschedule' },
    mutationFn: ({ id, at }: Move) => client.posts.edit(id, { scheduled: at }),
    onMutate: async (move) => {
      await queries.cancelQueries({ queryKey: ['calendar'] });
      const before = queries.getQueriesData<CalendarPosts>({ queryKey: ['calendar'] });
      queries.setQueriesData<CalendarPosts>({ queryKey: ['calendar'] }, (shown) => withMove(shown, move));
      return { before };
    },
    onError: (_error, _move, context) => {
      for (const [key, posts] of context?.before ?? []) queries.setQueryData(key, posts);
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['calendar'] }),
        queries.invalidateQueries({ queryKey: ['posts'] }),
      ]),
  });
}
