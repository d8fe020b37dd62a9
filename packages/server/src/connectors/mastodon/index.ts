import { lastPathPart } from '../../text.ts';
import type { Connector } from '../contract.ts';
import { commit, confirm } from './commit.ts';
import { identify } from './identify.ts';
import { budgets, defaultCapabilities } from './limits.ts';
import { flow } from './oauth.ts';
import { countedText, options } from './options.ts';
import { begin, step } from './publish.ts';
import { verify } from './verify.ts';

/** Mastodon, and other servers that speak its API. */
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
  sight: 'exact',
  // Mastodon refuses a key or a medium a second time; other servers forget either, so their late execution is waited out.
  settle: { waitMs: 900_000, apartMs: 60_000, guard: 'key' },
  completeWithoutIdMs: 0,
  canonicalId,
} satisfies Connector);

/** Ids stand alone or at the end of an address: `…/@nora/115…`, `…/users/nora/statuses/115…`. */
function canonicalId(id: string): string {
  return lastPathPart(id.trim());
}
