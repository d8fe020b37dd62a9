/** The posts of a time range, and the mutation that moves them. */
import type { FoundPost, ReelayClient } from '@reelay/sdk';
import { keepPreviousData, queryOptions, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { postKeys, postMutationKeys } from './keys.ts';

export interface CalendarPosts {
  posts: FoundPost[];
  /** Whether all posts of the range are included. */
  isComplete: boolean;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 10;
/** Posts between two moments in ms since the epoch, at most 1,000. */
export const calendarQuery = (client: ReelayClient, { from, to }: { from: number; to: number }) =>
  queryOptions({
    queryKey: postKeys.calendar(from, to),
    queryFn: async ({ signal }): Promise<CalendarPosts> => {
      // If a post is moved while the pages are read, two pages can contain it.
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
  });

export interface Move {
  id: string;
  /** ms since the epoch. */
  at: number;
}

/** Applies moves to the posts. Pure. */
export function withMoves(posts: readonly FoundPost[], moves: readonly Move[]): readonly FoundPost[] {
  const dates = new Map(moves.map(({ id, at }) => [id, new Date(at).toISOString()]));
  return dates.size === 0 ? posts : posts.map((post) => ({ ...post, date: dates.get(post.id) ?? post.date }));
}

/** Pending moves, latest last. Posts are shown at their new time before the service responds. */
export function usePendingMoves(): readonly Move[] {
  return useMutationState({
    filters: { mutationKey: postMutationKeys.reschedule, status: 'pending' },
    select: ({ state }) => state.variables as Move,
  });
}

/** Changes the time of a post. Moves are sent one after another. */
export function useReschedule() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationKey: postMutationKeys.reschedule,
    scope: { id: 'reschedule' },
    mutationFn: ({ id, at }: Move) => client.posts.edit(id, { scheduled: at }),
    // Awaited, so that the post does not appear at its old time in between.
    onSettled: () => queries.invalidateQueries({ queryKey: postKeys.all }),
  });
}
