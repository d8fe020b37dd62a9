import type { Connector } from '../contract.ts';
import { TELEGRAM_API } from './api.ts';
import { canonicalId } from './chats.ts';
import { commit, confirm, verify } from './commit.ts';
import { flow, identify } from './credentials.ts';
import { budgets, capabilitiesOf, options } from './limits.ts';
import { begin, step } from './publish.ts';

/** Connector for Telegram channels, posted to by a bot. */
export const connector = Object.freeze({
  id: 'telegram',
  name: 'Telegram',
  federated: false,
  capabilities: capabilitiesOf({ local: false }),
  choices: [],
  options,
  endpoints: { api: TELEGRAM_API, web: 'https://t.me' },
  oauth: null,
  credentials: flow,
  budgets,
  identify,
  begin,
  step,
  commit,
  confirm,
  verify,
  matchBy: 'none',
  // Not used: `verify` never returns `notPosted`.
  settle: { waitMs: 900_000, apartMs: 60_000, idempotency: 'none' },
  completeWithoutIdMs: 0,
  canonicalId,
} satisfies Connector);
