import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Connector } from '../contract.ts';
import { defineConnector } from '../kit/define.ts';
import { identify, identifyAll } from './api.ts';
import { isPublic } from './audience.ts';
import { form } from './form.ts';
import { budgets, capabilities, options } from './limits.ts';
import { messages } from './messages.ts';
import { oauth } from './oauth.ts';
import { canonicalId, commit, confirm, verify } from './post.ts';
import { begin, step } from './publish.ts';
import { registration } from './setup.ts';
import { watch } from './watch.ts';

/** LinkedIn connector for members and pages, using the versioned Videos and Posts APIs (learn.microsoft.com, 2026). */
export const connector = defineConnector({
  id: 'linkedin',
  name: 'LinkedIn',
  federated: false,
  capabilities,
  choices: [],
  options,
  form,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  registration,
  endpoints: { api: 'https://api.linkedin.com', www: 'https://www.linkedin.com' },
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
  // LinkedIn does not reject a repeated post, and does not document how stale a list may be.
  settle: { waitMs: 15 * MINUTE, apartMs: MINUTE, idempotency: 'none' },
  completeWithoutIdMs: HOUR,
  isPublic,
  canonicalId,
  watch,
} satisfies Connector);
