import { lastPathPart } from '../../text.ts';
import type { Connector } from '../contract.ts';
import { commit, confirm } from './commit.ts';
import { identify } from './identify.ts';
import { budgets, countedText, defaultCapabilities, options } from './limits.ts';
import { flow } from './oauth.ts';
import { begin, step } from './publish.ts';
import { verify } from './verify.ts';

/** Connector for Mastodon and other servers that implement its API. */
export const connector = Object.freeze({
  id: 'mastodon',
  name: 'Mastodon',
  federated: true,
  capabilities: defaultCapabilities,
  choices: [],
  options,
  countedText,
  endpoints: {},
  oauth: flow,
  credentials: null,
  budgets,
  identify,
  begin,
  step,
  commit,
  confirm,
  verify,
  matchBy: 'id',
  // Mastodon rejects a reused idempotency key or media id. Other servers forget either, so `waitMs` covers a late
  // execution.
  settle: { waitMs: 900_000, apartMs: 60_000, idempotency: 'key' },
  completeWithoutIdMs: 0,
  canonicalId,
} satisfies Connector);

/** Extracts the id from a bare id or a URL: `…/@nora/115…`, `…/users/nora/statuses/115…`. */
function canonicalId(id: string): string {
  return lastPathPart(id.trim());
}
