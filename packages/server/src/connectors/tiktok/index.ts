import { lastPathPart } from '../../text.ts';
import type { Connector } from '../contract.ts';
import { commit, confirm } from './commit.ts';
import { identify } from './identify.ts';
import { budgets, capabilities, choices } from './limits.ts';
import { oauth } from './oauth.ts';
import { options } from './options.ts';
import { begin, step } from './publish.ts';
import { verify } from './verify.ts';

/** TikTok by the Content Posting API, Direct Post, FILE_UPLOAD (developers.tiktok.com, pages of 2026). */
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
  sight: 'exact',
  // A range that was accepted is refused when it is sent again (416), so two minutes of settling are enough.
  settle: { waitMs: 120_000, apartMs: 60_000, guard: 'handle' },
  completeWithoutIdMs: 48 * 3_600_000,
  canonicalId,
} satisfies Connector);

/** Ids stand alone or at the end of an address: `…/@nora/video/7412…?utm_source=…`. */
function canonicalId(id: string): string {
  return lastPathPart(id.trim());
}
