import { MINUTE } from '../../lib/time.ts';
import type { Connector } from '../contract.ts';
import { defineConnector } from '../kit/define.ts';
import { TELEGRAM_API } from './api.ts';
import { isPublic } from './audience.ts';
import { canonicalId } from './chats.ts';
import { flow, identify } from './credentials.ts';
import { form } from './form.ts';
import { budgets, capabilitiesOf, options } from './limits.ts';
import { messages, say } from './messages.ts';
import { begin, commit, confirm, step, verify } from './publish.ts';
import { watch } from './watch.ts';

/** Connector for Telegram channels, posted to by a bot. */
export const connector = defineConnector({
  id: 'telegram',
  name: 'Telegram',
  federated: false,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  capabilities: capabilitiesOf({ local: false }),
  choices: [],
  options,
  form,
  endpoints: { api: TELEGRAM_API, web: 'https://t.me' },
  oauth: null,
  credentials: flow,
  budgets,
  videoNotes: ({ hasAudio }) => (hasAudio ? [] : [say('may_be_animation')]),
  identify,
  begin,
  step,
  commit,
  confirm,
  verify,
  matchBy: 'none',
  // Not used: `verify` never returns `notPosted`.
  settle: { waitMs: 15 * MINUTE, apartMs: MINUTE, idempotency: 'none' },
  completeWithoutIdMs: 0,
  isPublic,
  canonicalId,
  watch,
} satisfies Connector);
