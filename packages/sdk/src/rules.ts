import type { components, operations } from './generated/schema.ts';
import { type BodyOf, jsonOf, type Transport } from './transport.ts';

export type Rule = components['schemas']['Repost'];
/** In changes, null resets an option. */
export type RuleOptions = components['schemas']['RuleOptions'];
export type RuleActivity = components['schemas']['RepostActivity'];
export type CatalogItem = components['schemas']['RepostCatalogItem'];
export type RulePreview = components['schemas']['RepostPreview'];
/** A page of a rule's activity, newest first. */
export interface ActivityPage {
  data: RuleActivity[];
  /** The cursor of the next page; null if this is the last. */
  next: string | null;
  watch: Rule['watch'];
}

/** A caption to preview. Default: that of the newest item. */
interface PreviewedText {
  text?: string;
  url?: string;
}

export interface Rules {
  list(): Promise<Rule[]>;
  /** @returns the rule's id */
  add(rule: { from: string; to: readonly string[]; options?: RuleOptions }): Promise<string>;
  /** Options that are not given stay unchanged. */
  edit(id: string, options: RuleOptions): Promise<Rule>;
  /** @param options.between what happens to posts on the source until the rule is resumed. Default: as in the present pause, or skip */
  pause(id: string, options?: { between?: 'skip' | 'keep' }): Promise<void>;
  resume(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Every item that the rule saw, and what happened to it. */
  activity(id: string, page?: { cursor?: string; limit?: number }): Promise<ActivityPage>;
  /** A page of the source's posts, newest first, of which some can be selected as `backCatalog`. */
  catalog(id: string, page?: { cursor?: string }): Promise<{ data: CatalogItem[]; next: string | null }>;
  /** Reposts a skipped item, or releases a waiting one now. */
  repost(id: string, itemId: string): Promise<RuleActivity>;
  /** What the rule would do with the latest items of its source, also with changed options. */
  preview(id: string, changed?: { options?: RuleOptions } & PreviewedText): Promise<RulePreview>;
  /** The same for a rule that does not exist yet. */
  previewNew(
    rule: { from: string; to: readonly string[]; options?: RuleOptions } & PreviewedText,
  ): Promise<RulePreview>;
}

export function createRules(transport: Transport): Rules {
  const send = <Id extends keyof operations>(method: 'GET' | 'POST' | 'PATCH', path: string, json?: unknown) =>
    jsonOf<BodyOf<Id>>(transport, { method, path, ...(json === undefined ? {} : { json }) });
  const pathOf = (id: string) => `/repost/${encodeURIComponent(id)}`;
  const pause = async (id: string, isPaused: boolean, options: { between?: 'skip' | 'keep' } = {}) => {
    await send<'pauseRepost'>('POST', '/repost/pause', { id, isPaused, ...options });
  };
  return {
    list: async () => (await send<'reposts'>('GET', '/reposts')).data,
    add: async (rule) => (await send<'addRepost'>('POST', '/repost/add', rule)).id,
    edit: async (id, options) => (await send<'editRepost'>('PATCH', pathOf(id), { options })).data,
    pause: (id, options) => pause(id, true, options),
    resume: (id) => pause(id, false),
    async remove(id) {
      await send<'deleteRepost'>('POST', '/repost/delete', { id });
    },
    async activity(id, { cursor, limit } = {}) {
      const query = {
        ...(cursor === undefined ? {} : { cursor }),
        ...(limit === undefined ? {} : { limit: String(limit) }),
      };
      const path = `${pathOf(id)}/activity`;
      const { data, next, watch } = await jsonOf<BodyOf<'repostActivity'>>(transport, { method: 'GET', path, query });
      return { data, next, watch };
    },
    async catalog(id, { cursor } = {}) {
      const query = cursor === undefined ? {} : { cursor };
      const path = `${pathOf(id)}/catalog`;
      const { data, next } = await jsonOf<BodyOf<'repostCatalog'>>(transport, { method: 'GET', path, query });
      return { data, next };
    },
    repost: async (id, itemId) =>
      (await send<'repostItem'>('POST', `${pathOf(id)}/activity/${encodeURIComponent(itemId)}/repost`)).data,
    preview: async (id, changed = {}) => (await send<'previewRule'>('POST', `${pathOf(id)}/preview`, changed)).data,
    previewNew: async (rule) => (await send<'previewRepost'>('POST', '/repost/preview', rule)).data,
  };
}
