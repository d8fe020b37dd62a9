/** Posts that the signed-in user prepares. All methods require a session. */
import type { components } from './generated/schema.ts';
import { dataOf, type Transport } from './transport.ts';

export type Draft = components['schemas']['Draft'];
export type DraftSummary = components['schemas']['DraftSummary'];
export type SaveDraft = components['schemas']['SaveDraft'];
export type MoveToDrafts = components['schemas']['MoveToDrafts'];

export interface Drafts {
  /** Changed last first. */
  list(): Promise<DraftSummary[]>;
  get(id: string): Promise<Draft>;
  /**
   * Adds a draft, or replaces the version that was read. A post that is created with this id as its idempotency key
   * deletes the draft.
   * @param id a UUID of your choice
   * @throws ReelayApiError `draft_changed` if it has another version
   */
  save(id: string, draft: SaveDraft): Promise<Draft>;
  /** With its video. */
  delete(id: string): Promise<void>;
  /** Cancels a scheduled post that has not started, and adds a draft of it. */
  moveFromPost(postId: string, draft: MoveToDrafts): Promise<Draft>;
}

const PATH = '/drafts';

export function createDrafts(transport: Transport): Drafts {
  const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  return {
    list: () => dataOf(transport, { method: 'GET', path: PATH }),
    get: (id) => dataOf(transport, { method: 'GET', path: pathOf(id) }),
    save: (id, json) => dataOf(transport, { method: 'PUT', path: pathOf(id), json }),
    async delete(id) {
      await transport({ method: 'DELETE', path: pathOf(id) });
    },
    moveFromPost: (postId, json) =>
      dataOf(transport, { method: 'POST', path: `/dashboard/posts/${encodeURIComponent(postId)}/draft`, json }),
  };
}
