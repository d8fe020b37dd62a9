/** Finds a profile's spotlights. Snapchat does not give their files. */
import type { Session, WatchedPost, WatchFlow } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { createdAt, listSpotlights, publishedAs } from './verify.ts';

/** Pagination is not documented, so usually there is one page. A stated next page is read. */
export const watch: WatchFlow = {
  async list(session, { cursor }) {
    const { spotlights, next } = await listSpotlights(session, cursor);
    return { posts: spotlights.filter(isLive).map((spotlight) => postFrom(session, spotlight)), next };
  },
};

/** Omits spotlights that are reviewed or rejected. */
function isLive(spotlight: unknown): boolean {
  return textAt(spotlight, 'id') !== '' && ['LIVE', ''].includes(textAt(spotlight, 'status'));
}

function postFrom(session: Session, spotlight: unknown): WatchedPost {
  const texts = ['caption', 'description', 'title'].map((name) => textAt(spotlight, name));
  return {
    ...publishedAs(session, textAt(spotlight, 'id'), createdAt(spotlight)),
    text: texts.find(Boolean) ?? '',
    durationMs: null,
    width: null,
    height: null,
    isPublic: true,
    file: null,
  };
}
