/**
 * The OAuth consent flow: our ticket URL, the platform's page, the callback.
 *
 * A link can reach the wrong person. So our own page names the user who will own the account, and nothing happens
 * before that page is confirmed. A browser signed in as another user is refused. A browser without a session is refused
 * if a session started the attempt. The ticket is used once and binds the consent to the confirming browser. The
 * returned state is used once and accepted only from that browser.
 */
import type { AccountFacts, JsonObject, Tokens } from '../../connectors/contract.ts';
import { apiError, ReelayError } from '../../errors/reelay-error.ts';
import { assertStillWanted } from '../../keys/credential.ts';
import { say as sayConnect } from '../../messages/connect.ts';
import { CONSENT_REFUSALS, pageText } from '../../messages/pages.ts';
import { say } from '../../messages/timeline.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Platforms } from '../apps/platforms.ts';
import type { AccountEvents } from '../events.ts';
import { asking, reasonFor } from '../failures.ts';
import type { AccountsDependencies } from '../types.ts';
import { type ChosenValues, findNoted, nameOf, offer, type Progress } from './account-selection.ts';
import { assertUsable, connectNoted } from './account-writer.ts';
import {
  type AttemptStep,
  awaitCallback,
  awaitChoice,
  beginConsent,
  type ConsentRow,
  findChoice,
  findConsent,
  newToken,
  noteFailure,
  noteStep,
  unbeginConsent,
  useChoice,
  useConsent,
} from './attempt-store.ts';
import { type ConsentStep, type ConsentVisit, obstacleFor, refuse } from './consent-page.ts';

type Deps = Pick<AccountsDependencies, 'db' | 'sealer' | 'storage' | 'plans' | 'publicUrl'> & {
  platforms: Platforms;
  events: AccountEvents;
};

/**
 * Uses the ticket and redirects the browser to the platform.
 * @param request.browser the browser's token from an earlier consent, if any
 */
export async function startConsent(
  deps: Deps,
  request: ConsentVisit & { browser: string | null },
): Promise<ConsentStep> {
  const { db, platforms } = deps;
  const consent = await beginConsent(db, request.platform, request.ticket);
  if (!consent) return refuse(deps, { ...request, consent: null, step: 'begun' }, CONSENT_REFUSALS.ticket_used);
  const obstacle = obstacleFor(request, consent);
  if (obstacle) {
    await unbeginConsent(db, consent.id);
    return refuse(deps, { ...request, consent, step: 'begun' }, obstacle);
  }
  try {
    const state = newToken();
    const browser = isToken(request.browser) ? request.browser : newToken();
    const { url, kept } = await authorize(platforms, consent, state);
    await awaitCallback(db, consent.id, { state, browser, kept: deps.sealer.seal(kept, purposeOf(consent)) });
    await noteStep(db, consent.id, 'consent', sayConnect('redirected', { origin: new URL(url).origin }));
    return { then: 'redirect', url, browser };
  } catch (error) {
    await unbeginConsent(db, consent.id);
    return failed(deps, consent, 'begun', error);
  }
}

/**
 * Handles the platform's callback.
 * @param request.browser the browser's token from the start
 */
export async function finishConsent(
  deps: Deps,
  request: { platform: string; query: URLSearchParams; browser: string | null },
): Promise<ConsentStep> {
  const { db } = deps;
  const { platform, query } = request;
  const state = query.get('state') ?? '';
  const consent = state === '' ? null : await findConsent(db, platform, state, request.browser ?? '');
  const attempt = { platform, consent, step: 'answer' as const };
  if (!consent) return refuse(deps, attempt, CONSENT_REFUSALS.sign_in_unknown);
  if (!consent.bound) return refuse(deps, attempt, CONSENT_REFUSALS.other_browser);
  if (!(await isWanted(deps, consent))) return refuse(deps, attempt, CONSENT_REFUSALS.sign_in_first);
  if (!(await useConsent(db, consent.id))) return refuse(deps, attempt, CONSENT_REFUSALS.sign_in_used);
  if (consent.expired) return refuse(deps, attempt, CONSENT_REFUSALS.timed_out);
  const progress: Progress = { id: consent.id, step: 'answer' };
  try {
    return await complete(deps, consent, query, progress);
  } catch (error) {
    return failed(deps, consent, progress.step, error);
  }
}

/**
 * Handles the user's choice of accounts.
 * @param request.remoteIds remote ids of the chosen accounts
 */
export async function finishChoice(
  deps: Deps,
  request: {
    platform: string;
    token: string;
    remoteIds: readonly string[];
    choices: ChosenValues;
    browser: string | null;
  },
): Promise<ConsentStep> {
  const { db, sealer } = deps;
  const { platform, token } = request;
  const consent = token === '' ? null : await findChoice(db, platform, token, request.browser ?? '');
  const attempt = { platform, consent, step: 'choice' as const };
  if (!consent?.kept) return refuse(deps, attempt, CONSENT_REFUSALS.sign_in_unknown);
  if (!consent.bound) return refuse(deps, attempt, CONSENT_REFUSALS.other_browser);
  if (!(await isWanted(deps, consent))) return refuse(deps, attempt, CONSENT_REFUSALS.sign_in_first);
  if (request.remoteIds.length === 0) return refuse(deps, attempt, CONSENT_REFUSALS.none_selected);
  if (!(await useChoice(db, consent.id))) return refuse(deps, attempt, CONSENT_REFUSALS.sign_in_used);
  if (consent.expired) return refuse(deps, attempt, CONSENT_REFUSALS.timed_out);
  const progress: Progress = { id: consent.id, step: 'choice' };
  try {
    const { tokens, found } = sealer.open<Waiting>(consent.kept, purposeOf(consent));
    const chosen = found.filter((facts) => request.remoteIds.includes(facts.remoteId));
    if (chosen.length === 0) throw apiError('no_account_chosen');
    const names = chosen.map(nameOf).join(', ');
    await noteStep(db, consent.id, 'choice', sayConnect('accounts_selected', { names }));
    return await store(deps, consent, tokens, chosen, progress, request.choices);
  } catch (error) {
    return failed(deps, consent, progress.step, error);
  }
}

/** Returns false if the user was suspended or the session that asked has ended. It is verified again when storing. */
async function isWanted({ db }: Deps, { user_id: userId, input }: ConsentRow): Promise<boolean> {
  try {
    await assertStillWanted(db, userId, input.sessionId ?? null);
    return true;
  } catch (error) {
    if (error instanceof ReelayError && error.status < 500) return false;
    throw error;
  }
}

/** Data stored encrypted until the user chooses. */
interface Waiting {
  tokens: Tokens;
  found: AccountFacts[];
}

function authorize(platforms: Platforms, { platform, sandbox, input }: ConsentRow, state: string) {
  const { oauth } = platforms.connector(platform);
  if (!oauth) throw apiError('no_consent');
  const { service, identifier, login } = input;
  return asking(async () =>
    oauth.authorize(await platforms.context(platform, sandbox), {
      state,
      redirectUri: platforms.redirectUri(platform),
      ...(service ? { service } : {}),
      ...(identifier ? { identifier } : {}),
      ...(login ? { login } : {}),
    }),
  );
}

async function complete(
  deps: Deps,
  consent: ConsentRow,
  query: URLSearchParams,
  progress: Progress,
): Promise<ConsentStep> {
  const { db, platforms, sealer } = deps;
  const { platform, sandbox } = consent;
  const connector = platforms.connector(platform);
  const { oauth, name } = connector;
  if (!oauth || !consent.kept) throw apiError('no_consent');
  const error = query.get('error');
  if (error) throw new PlatformError(refusalOf(name, error, query.get('error_description') ?? ''));
  const kept = sealer.open<JsonObject>(consent.kept, purposeOf(consent));
  const redirectUri = platforms.redirectUri(platform);
  const context = await platforms.context(platform, sandbox);
  await noteStep(db, consent.id, 'answer', sayConnect('code_received', { platform: name }));
  progress.step = 'exchange';
  const tokens = await asking(() => oauth.exchange(context, { query, redirectUri, kept }));
  await noteStep(db, consent.id, 'exchange', sayConnect('code_exchanged'));
  progress.step = 'scopes';
  assertUsable(connector, { kind: 'oauth', tokens });
  const scopes = tokens.scopes.join(' ');
  const granted = scopes ? sayConnect('scopes_granted', { scopes }) : sayConnect('scopes_unknown', { platform: name });
  await noteStep(db, consent.id, 'scopes', granted);
  const given = { userId: consent.user_id, platform, sandbox, tokens };
  const { found, known, serviceOf } = await findNoted(deps, progress, given, consent.input.account);
  const offered = offer(found, known, { choices: connector.choices, given: consent.choices, serviceOf });
  if (offered.length === 1 && offered[0]?.missing.length === 0) return store(deps, consent, tokens, found, progress);
  const token = newToken();
  const waiting: Waiting = { tokens, found: [...found] };
  await awaitChoice(db, consent.id, token, sealer.seal(waiting, purposeOf(consent)));
  return { then: 'choose', platform, name, token, accounts: offered };
}

async function store(
  deps: Deps,
  consent: ConsentRow,
  tokens: Tokens,
  found: readonly AccountFacts[],
  progress: Progress,
  choicesOf: ChosenValues = {},
): Promise<ConsentStep> {
  const { platform, sandbox, choices, user_id: userId, input } = consent;
  const { actor, sessionId } = input;
  const given = { userId, platform, sandbox, kind: 'oauth', tokens, choices, choicesOf, actor, sessionId } as const;
  const accounts = await connectNoted(deps, progress, given, found);
  return { then: 'connected', platform, accounts };
}

/** Whether the owner denied the consent: `access_denied` (RFC 6749, 4.1.2.1) or a platform's own code for it. */
function isDenial(error: string): boolean {
  return /^(?:access_denied|user_denied|user_cancelled_\w+)$/.test(error);
}

/** Converts an error response of the authorization endpoint (RFC 6749, 4.1.2.1) to a failure. */
function refusalOf(name: string, error: string, description: string): PlatformError['failure'] {
  const platformCode = error.slice(0, 100);
  if (isDenial(error)) {
    const detail = say('access_denied', { platform: name });
    return { kind: 'rejected', what: 'permission', platformCode, detail };
  }
  const words = description.slice(0, 300).trim();
  const detail = words
    ? say('consent_failed_because', { platform: name, code: platformCode, words })
    : say('consent_failed', { platform: name, code: platformCode });
  return { kind: 'setup', platformCode, detail };
}

async function failed(
  { events, platforms, db }: Deps,
  consent: ConsentRow,
  step: AttemptStep,
  error: unknown,
): Promise<ConsentStep> {
  const why = reasonFor(error);
  const { id: attempt, user_id: userId, platform } = consent;
  const { name } = platforms.connector(platform);
  events.connectFailed({ userId, platform, where: step, attempt }, why);
  await noteFailure(db, attempt, step, why).catch(() => {});
  const denied = isDenial(why.platformCode ?? '');
  const status = denied ? 200 : error instanceof PlatformError ? 422 : (why.status ?? 500);
  const title = denied ? pageText('nothing_connected_title') : pageText('not_connected_title', { platform: name });
  return { then: 'refused', status, title, reason: why.reason, attempt };
}

function isToken(text: string | null): text is string {
  return text !== null && /^[A-Za-z0-9_-]{43}$/.test(text);
}

function purposeOf(consent: Pick<ConsentRow, 'id'>): string {
  return `consent ${consent.id}`;
}
