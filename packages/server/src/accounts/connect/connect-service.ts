/** Starts connecting an account: by consent in a browser, by a direct login, or in the sandbox. */
import type { ConnectContext, Connector, Tokens } from '../../connectors/contract.ts';
import { apiError } from '../../errors/reelay-error.ts';
import { SECOND } from '../../lib/time.ts';
import { say as sayConnect } from '../../messages/connect.ts';
import type { Message } from '../../messages/message.ts';
import { say } from '../../messages/timeline.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { Platforms } from '../apps/platforms.ts';
import type { AccountEvents } from '../events.ts';
import { asking, reasonFor } from '../failures.ts';
import { checkChoices, valueMeant } from '../settings/account-settings.ts';
import type { AccountsDependencies } from '../types.ts';
import { findNoted, type Progress } from './account-selection.ts';
import { assertUsable, type ConnectedAccount, connectNoted, finishConnect } from './account-writer.ts';
import { type AttemptStep, insertConsent, newToken, noteFailure, noteStep } from './attempt-store.ts';
import { countServer, MAX_SERVERS_A_DAY } from './named-servers.ts';
import type { SandboxConnectRequest } from './sandbox-accounts.ts';

export interface ConnectRequest {
  userId: string;
  platform: string;
  /** The account's server, for platforms with many. */
  service?: string;
  /** Handle or other sign-in name. */
  identifier?: string;
  /** Kind of login, for platforms with several. */
  login?: string;
  /** App password or bot token. If given, the account connects immediately. */
  secret?: string;
  choices?: Record<string, string>;
  /** The account to reconnect; no other account is accepted. */
  account?: string;
  sandbox?: boolean;
  /** Who asks, for the audit log: `session`, `command line`. */
  actor: string;
  /** The session that asks. Nothing is connected once it has ended. */
  sessionId?: string | undefined;
}

/**
 * Either a URL to open in a browser, or the accounts that were connected immediately. `attempt` is the id of the step
 * record.
 */
export type Connecting = { attempt: string } & (
  | { url: string; accounts: [] }
  | { url: null; accounts: ConnectedAccount[] }
);

type Deps = Pick<AccountsDependencies, 'db' | 'sealer' | 'storage' | 'plans' | 'publicUrl' | 'sandbox'> & {
  platforms: Platforms;
  events: AccountEvents;
};

/**
 * Starts a consent or logs in directly.
 * @throws ReelayError `invalid_request` naming the field; `platform_not_connected` if the sandbox is off;
 *   `connect_failed` with the exact reason; `plan_limit_reached`; `rate_limited`
 */
export async function startConnect(deps: Deps, request: ConnectRequest): Promise<Connecting> {
  const { platforms } = deps;
  const connector = platforms.connector(request.platform);
  const sandbox = request.sandbox ?? false;
  if (sandbox) assertSandbox(deps);
  const choices = checkChoices(connector.choices, request.choices ?? {});
  if (connector.credentials && (request.secret !== undefined || !connector.oauth))
    return logIn(deps, connector, request, choices);
  if (request.secret !== undefined) throw apiError('secret_not_used', { platform: connector.name });
  assertConsentPossible(platforms, connector, request);
  await assertServersLeft(deps, connector, request);
  const ticket = newToken();
  const attempt = await openAttempt(deps, request, ticket, choices);
  return { attempt, url: `${deps.publicUrl}/oauth/${connector.id}/start?ticket=${ticket}`, accounts: [] };
}

async function openAttempt(
  { db }: Deps,
  request: ConnectRequest,
  ticket: string,
  choices: Record<string, string>,
): Promise<string> {
  const { userId, platform, service, identifier, login, account, actor, sessionId, sandbox = false } = request;
  const input = { ...(sandbox ? {} : { service }), identifier, login, account, actor, sessionId };
  const id = await insertConsent(db, { ticket, user_id: userId, platform, sandbox, choices, input });
  await noteStep(db, id, 'begun', sayConnect('requested_by', { actor }));
  return id;
}

function assertSandbox({ sandbox }: Deps): void {
  if (!sandbox) throw apiError('sandbox_off');
}

function assertConsentPossible(platforms: Platforms, connector: Connector, request: ConnectRequest): void {
  const { oauth, name, id } = connector;
  const sandbox = request.sandbox ?? false;
  if (oauth?.needsApp && !platforms.app(id, sandbox)) {
    throw apiError('application_missing', { platform: name, redirectUri: platforms.redirectUri(id) });
  }
  for (const { name: field, required, values } of oauth?.asks ?? []) {
    const given = request[field];
    if (required && !given && !(sandbox && field === 'service'))
      throw apiError('connect_field_missing', { name: field, platform: name });
    if (given && values && !values.some(({ value }) => value === given))
      throw apiError('connect_field_not_allowed', {
        name: field,
        allowed: values.map(({ value }) => value).join(', '),
      });
  }
}

/** A server that a user names is asked, and may get a registration that is stored. @throws ReelayError `rate_limited` */
async function assertServersLeft({ db }: Deps, connector: Connector, request: ConnectRequest): Promise<void> {
  const server = request.service ?? request.identifier;
  if (!connector.federated || !server || request.sandbox) return;
  const retryAfter = await countServer(db, { userId: request.userId, platform: connector.id, server });
  if (retryAfter === 0) return;
  const params = { limit: MAX_SERVERS_A_DAY, waitMs: retryAfter * SECOND };
  throw apiError('new_servers_limited', params, { extras: { retryAfter } });
}

async function logIn(
  deps: Deps,
  connector: Connector,
  request: ConnectRequest,
  choices: Record<string, string>,
): Promise<Connecting> {
  const { platforms, db } = deps;
  const sandbox = request.sandbox ?? false;
  const given: Record<string, string> = {};
  for (const { name, required } of connector.credentials?.fields ?? []) {
    // A sandbox account always uses the simulator, regardless of the server given.
    const value = sandbox && name === 'service' ? platforms.simulatorUrl(connector.id) : request[name];
    if (value) given[name] = value;
    else if (required) throw apiError('connect_field_missing', { name, platform: connector.name });
  }
  await assertServersLeft(deps, connector, request);
  // Nobody receives this ticket, because no browser is involved.
  const id = await openAttempt(deps, request, newToken(), choices);
  const progress: Progress = { id, step: 'login' };
  const accounts = await attempt(deps, { ...request, attempt: id }, progress, async () => {
    const tokens = await opened(connector, await platforms.context(connector.id, sandbox), given);
    await noteStep(db, id, 'login', sayConnect('login_accepted', { platform: connector.name }));
    const { userId, actor, account } = request;
    const consent = { userId, platform: connector.id, sandbox, kind: 'credentials', tokens, choices, actor } as const;
    assertUsable(connector, consent);
    const { found } = await findNoted(deps, progress, consent, account);
    return connectNoted(deps, progress, consent, found);
  });
  return { attempt: id, url: null, accounts };
}

/**
 * Connects an account with the given username at a simulated platform. The simulator supplies what a consent would
 * return: a token endpoint response or credentials. The connector parses the response as usual, or logs in with the
 * credentials. The rest is the same as for a real account.
 * @throws ReelayError as {@link startConnect}
 */
export async function connectSandbox(deps: Deps, request: SandboxConnectRequest): Promise<ConnectedAccount[]> {
  const { platforms } = deps;
  const { userId, platform, username, actor } = request;
  const connector = platforms.connector(platform);
  assertSandbox(deps);
  const context = await platforms.context(platform, true);
  const made = connector.choices.flatMap((choice) => {
    const value = valueMeant(choice, request.privacy);
    return value === undefined ? [] : [[choice.name, value] as const];
  });
  return attempt(deps, { ...request, attempt: null }, { step: 'login' }, async () => {
    const { tokens, kind } = await enrol(deps, connector, context, username);
    const choices = Object.fromEntries(made);
    return finishConnect(deps, { userId, platform, sandbox: true, kind, tokens, choices, actor });
  });
}

async function enrol(
  { sandbox, platforms }: Deps,
  connector: Connector,
  context: ConnectContext,
  username: string,
): Promise<{ tokens: Tokens; kind: 'oauth' | 'credentials' }> {
  const service = connector.federated ? platforms.simulatorUrl(connector.id) : '';
  const enrolled = await sandbox?.enrol(connector.id, username);
  if (enrolled?.tokenAnswer && connector.oauth?.tokensFrom)
    return { kind: 'oauth', tokens: connector.oauth.tokensFrom(enrolled.tokenAnswer, service) };
  if (enrolled?.credentials && connector.credentials)
    return { kind: 'credentials', tokens: await opened(connector, context, { service, ...enrolled.credentials }) };
  throw new PlatformError({ kind: 'setup', detail: say('sandbox_login_unsupported', { platform: connector.name }) });
}

async function opened(connector: Connector, context: ConnectContext, given: Record<string, string>): Promise<Tokens> {
  const { credentials, name } = connector;
  if (!credentials) throw new PlatformError({ kind: 'setup', detail: say('login_unsupported', { platform: name }) });
  return asking(() => credentials.open(context, given));
}

/**
 * Runs the work and turns a platform's refusal into `connect_failed` with its message. Failures are also logged and
 * recorded.
 */
async function attempt<T>(
  { events, db }: Deps,
  { userId, platform, attempt: id }: { userId: string; platform: string; attempt: string | null },
  progress: { step: AttemptStep },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const why = reasonFor(error);
    events.connectFailed({ userId, platform, where: progress.step, attempt: id }, why);
    if (id) await noteFailure(db, id, progress.step, why).catch(() => {});
    if (!(error instanceof PlatformError)) throw error;
    const reason = withCode(why.reason, why.platformCode);
    if (id) throw apiError('connect_failed_reference', { reason, attempt: id }, { cause: error });
    throw apiError('connect_failed_for', { reason }, { cause: error });
  }
}

function withCode(reason: Message, code: string | undefined): Message {
  return code && !reason.text.includes(code) ? sayConnect('with_code', { reason, code }) : reason;
}
