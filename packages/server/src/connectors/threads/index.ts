import type { Connector } from '../contract.ts';
import { identify } from './api.ts';
import { budgets, capabilities, options } from './limits.ts';
import { oauth } from './oauth.ts';
import { begin, commit, step } from './publish.ts';
import { confirm, LATE_MS, verify } from './verify.ts';

/** Threads connector (developers.facebook.com/docs/threads, as of 2025 and 2026). */
export const connector = Object.freeze({
  id: 'threads',
  name: 'Threads',
  federated: false,
  capabilities,
  choices: [],
  options,
  fetchesMedia: true,
  registration: {
    portal: 'https://developers.facebook.com/apps',
    review: 'App Review with advanced access: until then only invited testers',
  },
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
  settle: { waitMs: LATE_MS, apartMs: 120_000, idempotency: 'none' },
  completeWithoutIdMs: 3_600_000,
  canonicalId: (id) => id.trim(),
} satisfies Connector);
