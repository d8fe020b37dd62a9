/**
 * The keys under which answers of the service are cached. Live events refresh by the first parts. They are apart from the
 * queries, because the first load has the keys and not the queries.
 */
import type { PostFilter, RuleOptions } from '@reelay/sdk';

export const accountKeys = {
  all: ['accounts'],
  one: (id: string) => ['accounts', id],
  form: (id: string) => ['accounts', id, 'form'],
  /** Current data of the platform. Not below `all`, because every read calls the platform. */
  current: (id: string) => ['current-account', id],
  catalog: ['catalog'],
} as const;

export const accountGroupKeys = { all: ['account-groups'] } as const;

export const draftKeys = { all: ['drafts'] } as const;

export const snippetKeys = { all: ['snippets'] } as const;

export const previewKeys = { one: (of: 'upload' | 'post', id: string) => ['previews', of, id] } as const;

export const attemptKeys = { one: (id: string) => ['attempts', id] } as const;

export const postKeys = {
  all: ['posts'],
  one: (id: string) => ['posts', id],
  search: (filter: PostFilter) => ['posts', 'search', filter],
  /** @param from ms since the epoch, like `to` */
  calendar: (from: number, to: number) => ['posts', 'calendar', from, to],
} as const;

/** Keys of the mutations. */
export const postMutationKeys = {
  create: ['posts', 'create'],
  edit: ['posts', 'edit'],
  reschedule: ['posts', 'reschedule'],
} as const;

export const ruleKeys = {
  all: ['rules'],
  activity: (id: string) => ['rules', id, 'activity'],
  preview: (id: string, options: RuleOptions, text: string) => ['rules', id, 'preview', options, text],
  /** Not below `all`, because every read calls the platform. */
  catalog: (id: string) => ['rule-catalog', id],
} as const;

export const sessionKeys = { current: ['session'], options: ['sign-in-options'] } as const;

export const apiKeyKeys = { info: ['key'] } as const;

export const userKeys = {
  all: ['user'],
  sessions: ['user', 'sessions'],
  secondFactor: ['user', 'second-factor'],
  passkeys: ['user', 'passkeys'],
} as const;

export const sandboxKeys = {
  all: ['sandbox'],
  status: ['sandbox', 'status'],
  posts: ['sandbox', 'posts'],
  postsOf: (platform: string, username: string) => ['sandbox', 'posts', platform, username],
} as const;

export const notificationKeys = {
  all: ['notifications'],
  unread: ['notifications', 'unread'],
  list: ['notifications', 'list'],
  settings: ['notification-settings'],
  channels: ['notification-channels'],
  /** @param channels their ids: it changes when this browser is added or removed */
  deviceHere: (channels: readonly string[]) => ['device-here', channels],
} as const;

export const operatorKeys = {
  users: ['operator', 'users'],
  usersWith: (text: string) => ['operator', 'users', text],
  queues: ['operator', 'queues'],
  storage: ['operator', 'storage'],
  /** @param userId "": all users */
  audit: (userId: string) => ['operator', 'audit', userId],
} as const;

export const setupKeys = {
  guides: ['operator', 'setup'],
  guide: (platform: string) => ['operator', 'setup', platform],
  all: ['operator', 'setups'],
} as const;

/** Texts that are loaded later. */
export const textKeys = { of: (language: string) => ['texts', language] } as const;
