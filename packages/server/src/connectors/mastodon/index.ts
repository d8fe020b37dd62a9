import { lastPathPart } from '../../lib/text.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Connector } from '../contract.ts';
import { defineConnector } from '../kit/define.ts';
import { identify } from './api.ts';
import { isPublic } from './audience.ts';
import { form } from './form.ts';
import { budgets, countedText, defaultCapabilities, options } from './limits.ts';
import { messages, say } from './messages.ts';
import { flow } from './oauth.ts';
import { begin, commit, step } from './publish.ts';
import { confirm, verify } from './verify.ts';
import { watch } from './watch.ts';

/** Connector for Mastodon and other servers that implement its API. */
export const connector = defineConnector({
  id: 'mastodon',
  name: 'Mastodon',
  federated: true,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  capabilities: defaultCapabilities,
  choices: [],
  options,
  form,
  countedText,
  endpoints: {},
  oauth: flow,
  credentials: null,
  budgets,
  // Mastodon's documentation of media: a video without sound becomes a `gifv`.
  videoNotes: ({ hasAudio }) => (hasAudio ? [] : [say('becomes_gifv')]),
  identify,
  begin,
  step,
  commit,
  confirm,
  verify,
  matchBy: 'id',
  // Mastodon rejects a reused idempotency key or media id. Other servers forget either, so `waitMs` covers a late
  // execution.
  settle: { waitMs: 15 * MINUTE, apartMs: MINUTE, idempotency: 'key' },
  completeWithoutIdMs: 0,
  isPublic,
  canonicalId,
  watch,
} satisfies Connector);

/** Extracts the id from a bare id or a URL: `…/@nora/115…`, `…/users/nora/statuses/115…`. */
function canonicalId(id: string): string {
  return lastPathPart(id.trim());
}
