import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Connector } from '../contract.ts';
import { defineConnector } from '../kit/define.ts';
import { LATE_MS } from '../kit/graph-container.ts';
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

/** Threads connector (developers.facebook.com/docs/threads, as of 2025 and 2026). */
export const connector = defineConnector({
  id: 'threads',
  name: 'Threads',
  federated: false,
  capabilities,
  choices: [],
  options,
  form,
  textProblem,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  fetchesMedia: true,
  registration,
  endpoints: { graph: 'https://graph.threads.net', www: 'https://www.threads.net' },
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
  settle: { waitMs: LATE_MS, apartMs: 2 * MINUTE, idempotency: 'none' },
  completeWithoutIdMs: HOUR,
  isPublic,
  canonicalId: (id) => id.trim(),
  watch,
} satisfies Connector);
