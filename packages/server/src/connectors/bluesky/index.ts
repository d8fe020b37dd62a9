import { MINUTE } from '../../lib/time.ts';
import type { Connector } from '../contract.ts';
import { defineConnector } from '../kit/define.ts';
import { isPublic } from './audience.ts';
import { documents } from './client.ts';
import { flow as credentials } from './credentials.ts';
import { form } from './form.ts';
import { identify } from './identity.ts';
import { budgets, capabilitiesOf, options } from './limits.ts';
import { messages } from './messages.ts';
import { flow as oauth } from './oauth.ts';
import { begin, commit, step } from './publish.ts';
import { canonicalId } from './record.ts';
import { confirm, verify } from './verify.ts';
import { watch } from './watch.ts';

/** Connector for Bluesky and all other servers of the AT Protocol. */
export const connector = defineConnector({
  id: 'bluesky',
  name: 'Bluesky',
  federated: true,
  messages,
  translations: { de: async () => (await import('./messages.de.ts')).messages },
  capabilities: capabilitiesOf({ videoService: true, blobUploadLimit: null }),
  choices: [],
  options,
  form,
  endpoints: {
    entryway: 'https://bsky.social',
    resolver: 'https://public.api.bsky.app',
    plc: 'https://plc.directory',
    video: 'https://video.bsky.app',
    web: 'https://bsky.app',
  },
  oauth,
  credentials,
  budgets,
  identify,
  documents,
  begin,
  step,
  commit,
  confirm,
  verify,
  matchBy: 'id',
  // A second send with the same key is safe within an hour. The outcome is still verified twice, one minute apart,
  // before it.
  settle: { waitMs: 2 * MINUTE, apartMs: MINUTE, idempotency: 'key' },
  completeWithoutIdMs: 0,
  isPublic,
  canonicalId,
  watch,
} satisfies Connector);
