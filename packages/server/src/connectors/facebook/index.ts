import { lastPathPart } from '../../text.ts';
import type { Connector } from '../contract.ts';
import { commit, confirm } from './commit.ts';
import { identify, identifyAll } from './identify.ts';
import { budgets, capabilities, options } from './limits.ts';
import { oauth } from './oauth.ts';
import { begin, step } from './publish.ts';
import { verify } from './verify.ts';

/** Facebook Pages connector: Reels Publishing API, Graph API v25.0 (developers.facebook.com, as of 2026). */
export const connector = Object.freeze({
  id: 'facebook',
  name: 'Facebook',
  federated: false,
  capabilities,
  choices: [],
  options,
  registration: {
    portal: 'https://developers.facebook.com/apps',
    review:
      'App Review with advanced access, and a verified business: until then only people with a role in the application',
  },
  endpoints: {
    graph: 'https://graph.facebook.com',
    upload: 'https://rupload.facebook.com',
    www: 'https://www.facebook.com',
  },
  oauth,
  credentials: null,
  budgets,
  identify,
  identifyAll,
  begin,
  step,
  commit,
  confirm,
  verify,
  matchBy: 'id',
  settle: { waitMs: 15 * 60_000, apartMs: 120_000, idempotency: 'handle' },
  completeWithoutIdMs: 48 * 3_600_000,
  canonicalId,
} satisfies Connector);

/** Accepts a bare id or a URL: `/reel/900…/`, `/noracuts/videos/900…`, `/watch/?v=900…`. */
function canonicalId(id: string): string {
  const text = id.trim();
  const found = /[/](?:reel|reels|videos)[/](?:[^/?#]+[/])?(\d+)/.exec(text) ?? /[?&]v=(\d+)/.exec(text);
  return found?.[1] ?? lastPathPart(text);
}
