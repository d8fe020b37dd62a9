import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Connector } from '../contract.ts';
import { defineConnector } from '../kit/define.ts';
import { identify } from './api.ts';
import { isPublic } from './audience.ts';
import { form } from './form.ts';
import { budgets, capabilities, options, textProblem } from './limits.ts';
import { messages } from './messages.ts';
import { oauth } from './oauth.ts';
import { begin, commit, step } from './publish.ts';
import { registration } from './setup.ts';
import { confirm, verify } from './verify.ts';
import { watch } from './watch.ts';

/** X connector: API v2, segmented uploads, then one post (docs.x.com, as of 2026). */
export const connector = defineConnector({
  id: 'x',
  name: 'X',
  federated: false,
  capabilities,
  choices: [],
  options,
  form,
  textProblem,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  registration,
  endpoints: { api: 'https://api.x.com', www: 'https://x.com' },
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
  // X rejects duplicates for an undocumented period, so nothing relies on it.
  settle: { waitMs: 15 * MINUTE, apartMs: MINUTE, idempotency: 'none' },
  completeWithoutIdMs: HOUR,
  // Accepts a bare id or a URL: `…/nora/status/1903…?s=20`, `…/status/1903…/video/1`.
  isPublic,
  canonicalId: (id) => /\/status(?:es)?\/(\d+)/.exec(id)?.[1] ?? id.trim(),
  watch,
} satisfies Connector);
