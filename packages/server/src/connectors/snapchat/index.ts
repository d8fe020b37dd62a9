import { MINUTE } from '../../lib/time.ts';
import type { Connector } from '../contract.ts';
import { defineConnector } from '../kit/define.ts';
import { identify } from './api.ts';
import { isPublic } from './audience.ts';
import { form } from './form.ts';
import { capabilities, options } from './limits.ts';
import { messages } from './messages.ts';
import { oauth } from './oauth.ts';
import { begin, commit, step } from './publish.ts';
import { registration } from './setup.ts';
import { confirm, verify } from './verify.ts';
import { watch } from './watch.ts';

/** Snapchat Spotlight connector, using the Public Profile API, for allowlisted applications. */
export const connector = defineConnector({
  id: 'snapchat',
  name: 'Snapchat',
  federated: false,
  capabilities,
  choices: [],
  options,
  form,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  registration,
  endpoints: {
    api: 'https://businessapi.snapchat.com',
    accounts: 'https://accounts.snapchat.com',
    www: 'https://www.snapchat.com',
  },
  oauth,
  credentials: null,
  // Snapchat documents no rate limits.
  budgets: [],
  identify,
  begin,
  step,
  commit,
  confirm,
  verify,
  matchBy: 'text',
  // Snapchat rejects a second send only while the first is still in progress.
  settle: { waitMs: 15 * MINUTE, apartMs: 2 * MINUTE, idempotency: 'none' },
  completeWithoutIdMs: 0,
  isPublic,
  canonicalId,
  watch,
} satisfies Connector);

/** Extracts the id from a bare id or a URL: `…/spotlight/W7_…`, `…/@nora/spotlight/W7_…`. */
function canonicalId(id: string): string {
  const trimmed = id.trim();
  return /\/spotlight\/([^/?#]+)/.exec(trimmed)?.[1] ?? trimmed;
}
