import { MINUTE } from '../../lib/time.ts';
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

/** Pinterest connector, using API v5 (developers.pinterest.com, OpenAPI 5.23). */
export const connector = defineConnector({
  id: 'pinterest',
  name: 'Pinterest',
  federated: false,
  capabilities,
  choices,
  options,
  form,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  registration,
  endpoints: { api: 'https://api.pinterest.com', www: 'https://www.pinterest.com' },
  oauth,
  credentials: null,
  budgets,
  identify,
  begin,
  step,
  commit,
  confirm,
  verify,
  matchBy: 'text',
  // Nothing prevents a second send from creating a second pin.
  settle: { waitMs: 15 * MINUTE, apartMs: 2 * MINUTE, idempotency: 'none' },
  completeWithoutIdMs: 0,
  isPublic,
  canonicalId,
  watch,
} satisfies Connector);

/** Extracts the id from a bare id or a URL: `…/pin/8137…/`, `…/pin/sunset-run--8137…`. */
function canonicalId(id: string): string {
  const trimmed = id.trim();
  return /\/pin\/(?:[^/?#]*--)?(\d+)/.exec(trimmed)?.[1] ?? trimmed;
}
