/**
 * Connecting by consent: a ticket address of ours, the platform's page, the way back.
 *
 * The ticket is used once, not by a browser in which somebody else is signed in, and binds the consent to the browser
 * that opens it; the state that comes back is used once and only from that browser. So nobody's answer can be slipped
 * to another, and none can be played twice.
 */
import type { JsonObject } from '../connectors/contract.ts';
import { PlatformError } from '../connectors/kit/failure.ts';
import { ReelayError } from '../errors.ts';
import {
  awaitCallback,
  beginConsent,
  type ConsentRow,
  findConsent,
  newToken,
  unbeginConsent,
  useConsent,
} from './consent-store.ts';
import type { AccountEvents } from './events.ts';
import { asking, whyOf } from './failures.ts';
import { type ConnectedAccount, finishConnect } from './finish.ts';
import type { Platforms } from './platforms.ts';
import type { AccountsDependencies } from './types.ts';

/** What a step of a consent came to, for the page that shows it. */
export type ConsentStep =
  /** @param browser to be kept by the browser and sent along to the callback */
  | { then: 'redirect'; url: string; browser: string }
  | { then: 'connected'; platform: string; accounts: ConnectedAccount[] }
  | { then: 'refused'; status: number; title: string; reason: string };

type Needs = Pick<AccountsDependencies, 'db' | 'sealer' | 'storage' | 'plans'> & {
  platforms: Platforms;
  events: AccountEvents;
};

/**
 * Sends the browser to the platform.
 * @param request.browser what it was given at an earlier consent, if anything
 * @param request.signedIn the user who is signed in there, if anybody
 */
export async function startConsent(
  needs: Needs,
  request: { platform: string; ticket: string; browser: string | null; signedIn: string | null },
): Promise<ConsentStep> {
  const { db, platforms } = needs;
  const consent = await beginConsent(db, request.platform, request.ticket);
  if (!consent) return refuse(needs, { ...request, userId: null, where: 'start' }, USED_TICKET);
  if (request.signedIn !== null && request.signedIn !== consent.user_id) {
    await unbeginConsent(db, consent.id);
    return refuse(needs, { ...request, userId: consent.user_id, where: 'start' }, OTHER_USER);
  }
  try {
    const state = newToken();
    const browser = isToken(request.browser) ? request.browser : newToken();
    const { url, kept } = await authorize(platforms, consent, state);
    await awaitCallback(db, consent.id, { state, browser, kept: needs.sealer.seal(kept, purposeOf(consent)) });
    return { then: 'redirect', url, browser };
  } catch (error) {
    await unbeginConsent(db, consent.id);
    return failed(needs, consent, 'start', error);
  }
}

/** Takes the platform's answer. @param request.browser what the browser was given at the start */
export async function finishConsent(
  needs: Needs,
  request: { platform: string; query: URLSearchParams; browser: string | null },
): Promise<ConsentStep> {
  const { db } = needs;
  const { platform, query } = request;
  const state = query.get('state') ?? '';
  const consent = state === '' ? null : await findConsent(db, platform, state, request.browser ?? '');
  const attempt = { platform, userId: consent?.user_id ?? null, where: 'callback' };
  if (!consent) return refuse(needs, attempt, UNKNOWN_ANSWER);
  if (!consent.bound) return refuse(needs, attempt, OTHER_BROWSER);
  if (!(await useConsent(db, consent.id))) return refuse(needs, attempt, USED_ANSWER);
  if (consent.expired) return refuse(needs, attempt, TOO_LATE);
  try {
    const accounts = await complete(needs, consent, query);
    return { then: 'connected', platform, accounts };
  } catch (error) {
    return failed(needs, consent, 'callback', error);
  }
}

type Refusal = readonly [status: number, title: string, reason: string];
const USED_TICKET: Refusal = [410, 'This link has been used or has run out', 'Begin again where you got it.'];
const OTHER_USER: Refusal = [
  403,
  'This link is another user’s',
  'It would connect your account to theirs. Sign out here first if that is what you want.',
];
const UNKNOWN_ANSWER: Refusal = [
  400,
  'This answer belongs to nothing',
  'It was used already, or nobody waits for it. Begin again.',
];
const OTHER_BROWSER: Refusal = [
  400,
  'This was begun in another browser',
  'Finish it there, or begin again here. Cookies must be allowed.',
];
const USED_ANSWER: Refusal = [400, 'This answer was used already', 'Look at your accounts, or begin again.'];
const TOO_LATE: Refusal = [
  410,
  'That took too long',
  'Ten minutes are allowed between beginning and allowing. Begin again.',
];

/** Says no for a reason of ours, to the user and to the log. */
function refuse(
  { events }: Needs,
  { platform, userId, where }: { platform: string; userId: string | null; where: string },
  [status, title, reason]: Refusal,
): ConsentStep {
  events.connectFailed({ userId, platform: platform.slice(0, 50), where }, { reason: `${title}. ${reason}`, status });
  return { then: 'refused', status, title, reason };
}

function authorize(platforms: Platforms, { platform, sandbox, input }: ConsentRow, state: string) {
  const { oauth } = platforms.connector(platform);
  if (!oauth) throw new ReelayError('invalid_request', 'This platform does not ask for consent.');
  const { service, identifier, login } = input;
  return asking(() =>
    oauth.authorize(platforms.context(platform, sandbox), {
      state,
      redirectUri: platforms.redirectUri(platform),
      ...(service ? { service } : {}),
      ...(identifier ? { identifier } : {}),
      ...(login ? { login } : {}),
    }),
  );
}

async function complete(needs: Needs, consent: ConsentRow, query: URLSearchParams): Promise<ConnectedAccount[]> {
  const { platforms, sealer } = needs;
  const { platform, sandbox } = consent;
  const { oauth, name } = platforms.connector(platform);
  if (!oauth || !consent.kept) throw new ReelayError('invalid_request', 'This platform does not ask for consent.');
  const error = query.get('error');
  if (error) throw new PlatformError(refusalOf(name, error, query.get('error_description') ?? ''));
  const kept = sealer.open<JsonObject>(consent.kept, purposeOf(consent));
  const redirectUri = platforms.redirectUri(platform);
  const context = platforms.context(platform, sandbox);
  const tokens = await asking(() => oauth.exchange(context, { query, redirectUri, kept }));
  return finishConnect(needs, {
    userId: consent.user_id,
    platform,
    sandbox,
    kind: 'oauth',
    tokens,
    choices: consent.choices,
    actor: consent.input.actor,
  });
}

/** An error that came back instead of a code (RFC 6749, 4.1.2.1). */
function refusalOf(name: string, error: string, description: string): PlatformError['failure'] {
  const platformCode = error.slice(0, 100);
  if (error === 'access_denied') {
    const detail = `You did not allow it on ${name}'s page, so nothing was connected. You can try again at any time.`;
    return { kind: 'rejected', what: 'permission', platformCode, detail };
  }
  return {
    kind: 'setup',
    platformCode,
    detail: `${name} answered "${platformCode}". ${description.slice(0, 300)}`.trim(),
  };
}

function failed({ events, platforms }: Needs, consent: ConsentRow, where: string, error: unknown): ConsentStep {
  const why = whyOf(error);
  const { name } = platforms.connector(consent.platform);
  events.connectFailed({ userId: consent.user_id, platform: consent.platform, where }, why);
  const denied = why.platformCode === 'access_denied';
  const status = denied ? 200 : error instanceof PlatformError ? 422 : (why.status ?? 500);
  const title = denied ? 'Nothing was connected' : `${name} was not connected`;
  return { then: 'refused', status, title, reason: why.reason };
}

function isToken(text: string | null): text is string {
  return text !== null && /^[A-Za-z0-9_-]{43}$/.test(text);
}

function purposeOf(consent: Pick<ConsentRow, 'id'>): string {
  return `consent ${consent.id}`;
}
