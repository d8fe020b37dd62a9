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

/** TikTok connector: Content Posting API, Direct Post with FILE_UPLOAD (developers.tiktok.com, as of 2026). */
export const connector = defineConnector({
  id: 'tiktok',
  name: 'TikTok',
  federated: false,
  capabilities,
  choices,
  options,
  form,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  registration,
  endpoints: { api: 'https://open.tiktokapis.com', www: 'https://www.tiktok.com' },
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
  // TikTok rejects a range that it has already accepted (416), so two minutes of settling are enough.
  settle: { waitMs: 2 * MINUTE, apartMs: MINUTE, idempotency: 'handle' },
  completeWithoutIdMs: 48 * HOUR,
  // Accepts a bare id or a post URL: `…/@nora/video/7412…?utm_source=…`.
  isPublic,
  canonicalId: (id) => lastPathPart(id.trim()),
  watch,
} satisfies Connector);
