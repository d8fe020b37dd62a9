import { lastPathPart } from '../../lib/text.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Connector } from '../contract.ts';
import { defineConnector } from '../kit/define.ts';
import { isPublic } from './audience.ts';
import { form } from './form.ts';
import { budgets, capabilities, options } from './limits.ts';
import { messages } from './messages.ts';
import { identify, identifyAll, oauth } from './oauth.ts';
import { begin, commit, step } from './publish.ts';
import { registration } from './setup.ts';
import { confirm, verify } from './verify.ts';
import { watch } from './watch.ts';

/** Facebook Pages connector: Reels Publishing API, Graph API v25.0 (developers.facebook.com, as of 2026). */
export const connector = defineConnector({
  id: 'facebook',
  name: 'Facebook',
  federated: false,
  capabilities,
  choices: [],
  options,
  form,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  registration,
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
  settle: { waitMs: 15 * MINUTE, apartMs: 2 * MINUTE, idempotency: 'handle' },
  completeWithoutIdMs: 48 * HOUR,
  isPublic,
  canonicalId,
  watch,
} satisfies Connector);

/** Accepts a bare id or a URL: `/reel/900…/`, `/noracuts/videos/900…`, `/watch/?v=900…`. */
function canonicalId(id: string): string {
  const text = id.trim();
  const found = /[/](?:reel|reels|videos)[/](?:[^/?#]+[/])?(\d+)/.exec(text) ?? /[?&]v=(\d+)/.exec(text);
  return found?.[1] ?? lastPathPart(text);
}
