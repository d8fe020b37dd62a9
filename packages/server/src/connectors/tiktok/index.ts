import { lastPathPart } from '../../text.ts';
import type { Connector } from '../contract.ts';
import { identify } from './api.ts';
import { budgets, capabilities, choices, options } from './limits.ts';
import { oauth } from './oauth.ts';
import { begin, commit, step } from './publish.ts';
import { confirm, verify } from './verify.ts';

/** TikTok connector: Content Posting API, Direct Post with FILE_UPLOAD (developers.tiktok.com, as of 2026). */
export const connector = Object.freeze({
  id: 'tiktok',
  name: 'TikTok',
  federated: false,
  capabilities,
  choices,
  options,
  registration: {
    portal: 'https://developers.tiktok.com/apps',
    review:
      'an audit by TikTok: until then posts are visible to their owner alone, and five private accounts a day may post',
  },
  endpoints: { api: 'https://open.tiktokapis.com', www: 'https://www.tiktok.com' },
  oauth,
  credentials: null,
  budgets,
  identify,
  begin,
  step,
  commit,
  confirm,
  verify,
  matchBy: 'id',
  // TikTok rejects a range that it has already accepted (416), so two minutes of settling are enough.
  settle: { waitMs: 120_000, apartMs: 60_000, idempotency: 'handle' },
  completeWithoutIdMs: 48 * 3_600_000,
  canonicalId,
} satisfies Connector);

/** Accepts a bare id or a post URL: `…/@nora/video/7412…?utm_source=…`. */
function canonicalId(id: string): string {
  return lastPathPart(id.trim());
}
