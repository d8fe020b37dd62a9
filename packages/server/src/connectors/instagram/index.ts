import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Connector } from '../contract.ts';
import { defineConnector } from '../kit/define.ts';
import { LATE_MS } from '../kit/graph-container.ts';
import { isPublic } from './audience.ts';
import { form } from './form.ts';
import { budgets, capabilities, options, textProblem } from './limits.ts';
import { messages } from './messages.ts';
import { identify, identifyAll, oauth } from './oauth.ts';
import { begin, commit, step } from './publish.ts';
import { registration } from './setup.ts';
import { confirm, verify } from './verify.ts';
import { watch } from './watch.ts';

/** Instagram connector: Reels through Content Publishing, with either login (developers.facebook.com, as of 2026). */
export const connector = defineConnector({
  id: 'instagram',
  name: 'Instagram',
  federated: false,
  capabilities,
  choices: [],
  options,
  form,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  textProblem,
  fetchesMedia: true,
  registration,
  endpoints: {
    instagram: 'https://www.instagram.com',
    instagramApi: 'https://api.instagram.com',
    instagramGraph: 'https://graph.instagram.com',
    facebook: 'https://www.facebook.com',
    facebookGraph: 'https://graph.facebook.com',
    facebookUpload: 'https://rupload.facebook.com',
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
  // It is not documented how late an unanswered call may take effect, nor that a container is published only once.
  settle: { waitMs: LATE_MS, apartMs: 2 * MINUTE, idempotency: 'none' },
  completeWithoutIdMs: 2 * HOUR,
  isPublic,
  canonicalId: (id) => id.trim(),
  watch,
} satisfies Connector);
