import type {
  Capabilities,
  ConfirmResult,
  Connector,
  JsonObject,
  Session,
  VerifyResult,
  Work,
} from '../../../src/connectors/contract.ts';
import { numberAt, textAt } from '../../../src/connectors/kit/json.ts';
import { platformMessages } from '../../../src/connectors/kit/messages.ts';
import type { HttpResponse } from '../../../src/outbound/http-client.ts';
import { type Failure, PlatformError } from '../../../src/outbound/platform-error.ts';

/** This platform needs no message of its own. */
const { say, messages } = platformMessages({ id: 'example', name: 'Example' }, {});

const capabilities: Capabilities = {
  video: { maxBytes: 100_000_000, containers: ['mp4'] },
  caption: { maxLength: 200, unit: 'codepoints' },
  watch: 'own',
};

/**
 * A minimal connector that is safe against duplicates. It uploads first, posts under its own key, and verifies by that
 * key.
 */
export const connector = Object.freeze({
  id: 'example',
  name: 'Example',
  federated: false,
  capabilities,
  messages,
  choices: [],
  endpoints: { api: 'https://example.invalid' },
  oauth: null,
  credentials: {
    fields: [{ name: 'secret', title: { en: 'Token', de: 'Token' }, secret: true, required: true }],
    open: async (_context, { secret = '' }) => ({
      secret: { token: secret },
      scopes: [],
      expiresIn: null,
      refreshExpiresIn: null,
      service: '',
    }),
  },
  budgets: [],
  async identify({ http, endpoints }, { secret }) {
    const response = await http({ method: 'GET', url: `${endpoints.api}/me`, headers: bearer(secret) });
    const remoteId = textAt(response.tryJson(), 'id');
    if (response.status !== 200 || !remoteId) throw new PlatformError(failureOf(response));
    const username = textAt(response.tryJson(), 'username');
    return { remoteId, username, displayName: username, avatarUrl: '', capabilities };
  },

  // All steps before the irreversible call may be repeated.
  async begin({ session, media, post }) {
    const response = await session.http({
      method: 'PUT',
      url: `${session.endpoints.api}/videos/${post.targetId}`,
      headers: bearer(session.secret),
      body: { kind: 'stream', open: () => media.stream(), length: media.bytes, type: media.mime },
    });
    if (response.status !== 204) return { then: 'failed', failure: failureOf(response) };
    return { then: 'continue', checkpoint: { video: post.targetId }, note: say('upload_complete') };
  },
  step: async (_work, checkpoint) => ({ then: 'commit', checkpoint, note: say('publishing') }),

  commit: {
    async request({ session, post }, checkpoint) {
      const bytes = JSON.stringify({ key: keyOf(post), video: textAt(checkpoint, 'video'), text: post.text });
      return {
        method: 'POST',
        url: `${session.endpoints.api}/posts`,
        headers: bearer(session.secret),
        body: { kind: 'bytes', bytes, type: 'application/json' },
        deadlineMs: 30_000,
      };
    },
    // An unlisted response proves nothing. Nor does 409: it may be caused by our own earlier send.
    responses: [
      { status: 201, proves: 'done' },
      { status: 401, proves: 'retryable' },
      { status: 429, proves: 'retryable' },
      { status: 422, code: 'text_refused', proves: 'refused' },
      { status: 422, code: 'video_unknown', proves: 'refused' },
    ],
    codeOf: (response) => textAt(response.tryJson(), 'error'),
    failureOf: (response) => failureOf(response),
    done: (_work, _checkpoint, response) => posted(response),
  },
  confirm: async (_work, checkpoint) => ({ then: 'confirming', checkpoint, afterMs: 60_000, note: say('processing') }),
  async verify({ session, post }: Work, checkpoint: JsonObject | null): Promise<VerifyResult> {
    const response = await lookUp(session, keyOf(post));
    if (response.status === 200) return posted(response);
    if (response.status === 404) return { then: 'notPosted', checkpoint, note: say('post_not_shown') };
    return { then: 'stillUnknown', note: say('status_unexpected', { status: response.status }) };
  },
  matchBy: 'id',
  settle: { waitMs: 60_000, apartMs: 30_000, idempotency: 'key' },
  completeWithoutIdMs: 0,
  isPublic: () => true,
  canonicalId: (id) => id.trim(),
} satisfies Connector);

const bearer = (secret: JsonObject) => ({ authorization: `Bearer ${textAt(secret, 'token')}` });

/** The same key for every send of a target. If a rejection was false, the next send gets "key already used". */
const keyOf = ({ targetId }: Work['post']) => targetId;

const lookUp = ({ http, endpoints, secret }: Session, key: string) =>
  http({ method: 'GET', url: `${endpoints.api}/posts/${key}`, headers: bearer(secret) });

/** @throws PlatformError, TypeError if the response is not a post */
function posted(response: HttpResponse): ConfirmResult & { then: 'posted' } {
  const post = response.json();
  const remoteId = textAt(post, 'id');
  if (!remoteId) throw new TypeError('The response is not a post.');
  const published = { remoteId, url: textAt(post, 'url'), publishedAt: numberAt(post, 'made') };
  return { then: 'posted', published, note: say('post_found') };
}

function failureOf(response: HttpResponse): Failure {
  const { status, headers } = response;
  const error = textAt(response.tryJson(), 'error');
  const common = { status, detail: say('request_rejected', { code: error || status }) };
  if (status === 401 && error) return { ...common, kind: 'reconnect' };
  if (status === 422) return { ...common, kind: 'rejected', what: error === 'text_refused' ? 'caption' : 'video' };
  if (status !== 429) return { ...common, kind: 'transient' };
  const waitMs = Number(headers['retry-after'] ?? 60) * 1000;
  return { ...common, kind: 'rateLimited', waitMs, scope: 'account', window: 'rate' };
}
