import { lastPathPart } from '../../lib/text.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Connector } from '../contract.ts';
import { defineConnector } from '../kit/define.ts';
import { identify } from './api.ts';
import { isPublic } from './audience.ts';
import { form } from './form.ts';
import { budgets, capabilities, choices, options } from './limits.ts';
import { messages } from './messages.ts';
import { oauth } from './oauth.ts';
import { begin, commit, step } from './publish.ts';
import { registration } from './setup.ts';
import { confirm, verify } from './verify.ts';
import { watch } from './watch.ts';

/** YouTube connector: Data API v3, resumable upload (discovery document of 2026-09-24, developers.google.com). */
export const connector = defineConnector({
  id: 'youtube',
  name: 'YouTube',
  federated: false,
  capabilities,
  choices,
  options,
  form,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  registration,
  endpoints: {
    accounts: 'https://accounts.google.com',
    oauth: 'https://oauth2.googleapis.com',
    api: 'https://www.googleapis.com',
    www: 'https://www.youtube.com',
  },
  oauth,
  credentials: null,
  budgets,
  identifyBudget: 'watching',
  identify,
  begin,
  step,
  commit,
  confirm,
  verify,
  matchBy: 'id',
  // A session creates one video, even if its last bytes are sent twice. If it is gone, `verify` itself waits longer.
  settle: { waitMs: 2 * MINUTE, apartMs: MINUTE, idempotency: 'handle' },
  completeWithoutIdMs: HOUR,
  // Accepts a bare id or a URL: `…/watch?v=ID`, `…/shorts/ID?feature=share`, `youtu.be/ID`.
  isPublic,
  canonicalId: (id) => /[?&]v=([\w-]+)/.exec(id)?.[1] ?? lastPathPart(id.trim()),
  watch,
} satisfies Connector);
