/** What the operator must set up at each platform, and how much of it is configured. */
import type { Config } from '../../config/config.ts';
import type { GivenApp } from '../../config/variables.ts';
import type { App, AppCheck, Connector, Endpoints } from '../../connectors/contract.ts';
import { apiError } from '../../errors/reelay-error.ts';
import { say } from '../../messages/connect.ts';
import type { Message } from '../../messages/message.ts';
import { type HttpClient, type HttpRequest, NetworkError } from '../../outbound/http-client.ts';
import type { Apps } from './app-store.ts';
import { outsideProblem } from './public-reachability.ts';

export interface Application {
  name: string;
  source: 'environment' | 'stored' | null;
  variables: string[];
  /** The scopes that this application must have. */
  scopes: string[];
}

export interface PlatformSetup {
  platform: string;
  name: string;
  /** How accounts are connected. */
  by: 'consent' | 'login';
  /** The platform's applications by configured name; empty if none is needed. */
  applications: Application[];
  /** Whether accounts can be connected. */
  configured: boolean;
  /** Redirect URI to register with the platform; null if it has no consent flow. */
  redirectUri: string | null;
  scopes: string[];
  /** URL where an application is registered, and what the platform reviews; null if none is needed. */
  portal: string | null;
  review: string | null;
  /** A known problem with how this service is currently reached, or null. */
  problem: Message | null;
}

/** Names of a platform's applications, the preferred one first; empty if it needs none. Pure. */
export function appNamesOf({ id, oauth }: Pick<Connector, 'id' | 'oauth'>): readonly string[] {
  if (!oauth?.needsApp) return [];
  return oauth.appNames ?? [oauth.appName ?? id];
}

/** Environment variables of an application, id first. Pure. */
function variablesOf(name: string, id: 'CLIENT_ID' | 'CLIENT_KEY' | 'APP_ID' = 'CLIENT_ID'): string[] {
  const secret = id === 'APP_ID' ? 'APP_SECRET' : 'CLIENT_SECRET';
  return [id, secret].map((each) => `${name.toUpperCase()}_${each}`);
}

/**
 * Checks the variables set for an application and returns the problem or null. Mixing two spellings is
 * an error, because the halves might belong to two applications. Pure.
 */
export function spellingProblem(name: string, { variables = [] }: GivenApp): Message | null {
  for (const half of [/_(?:ID|KEY)$/, /_SECRET$/]) {
    const same = variables.filter((each) => half.test(each)).sort();
    if (same.length > 1) return say('variables_repeat', { variables: same.join(', ') });
  }
  if (new Set(variables.map((each) => each.includes('_APP_'))).size < 2) return null;
  const [app = '', client = ''] = [variablesOf(name, 'APP_ID'), variablesOf(name)].map((each) => each.join(', '));
  return say('variables_mixed', { variables: variables.toSorted().join(', '), app, client });
}

/**
 * Checks the variables of all applications. Variables that no connector knows belong to other programs and are ignored.
 * @throws Error naming the variables
 */
export function assertOneSpelling(
  connectors: Readonly<Record<string, Pick<Connector, 'id' | 'oauth'>>>,
  given: Config['apps'],
): void {
  for (const name of Object.values(connectors).flatMap(appNamesOf)) {
    const problem = spellingProblem(name, given[name] ?? {});
    if (problem) throw new Error(problem.text);
  }
}

export function setupOf(
  connector: Pick<Connector, 'id' | 'name' | 'oauth' | 'fetchesMedia' | 'registration'>,
  { apps, publicUrl }: { apps: Pick<Apps, 'source'>; publicUrl: string },
): PlatformSetup {
  const { id, name, oauth, registration } = connector;
  const applications = appNamesOf(connector).map((each) => ({
    name: each,
    source: apps.source(each),
    variables: variablesOf(each, oauth?.appIdVariable),
    scopes: [...(oauth?.appScopes?.[each] ?? oauth?.scopes ?? [])],
  }));
  const outside = connector.fetchesMedia ? outsideProblem(publicUrl) : null;
  return {
    platform: id,
    name,
    by: oauth ? 'consent' : 'login',
    applications,
    configured: applications.length === 0 || applications.some(({ source }) => source !== null),
    redirectUri: oauth ? `${publicUrl}/oauth/${id}/callback` : null,
    scopes: [...(oauth?.scopes ?? [])],
    portal: registration?.portal ?? null,
    review: registration?.review ?? null,
    problem: outside && say('service_unreachable', { platform: name, problem: outside }),
  };
}

/** @throws ReelayError `not_found` listing the known applications */
export async function storeApplication(
  { apps, connectors }: { apps: Pick<Apps, 'put'>; connectors: Readonly<Record<string, Connector>> },
  name: string,
  app: App,
): Promise<void> {
  const known = [...new Set(Object.values(connectors).flatMap(appNamesOf))].sort();
  if (!known.includes(name))
    throw apiError('application_unknown', { name: name.slice(0, 50), allowed: known.join(', ') });
  await apps.put(name, app);
}

/** Time limit of a probe, in ms. */
const POLL_MS = 5_000;

/**
 * Asks the platform whether the configured applications are valid.
 * @returns the results by name; without the applications that are not configured
 */
export async function checkApplications(
  connector: Pick<Connector, 'id' | 'name' | 'oauth'>,
  { apps, http, endpoints }: { apps: Pick<Apps, 'find'>; http: HttpClient; endpoints: Endpoints },
): Promise<Record<string, AppCheck>> {
  const found = appNamesOf(connector).map(async (name): Promise<[string, AppCheck][]> => {
    const app = apps.find(name);
    return app ? [[name, await checkApplication(connector, { http, endpoints }, name, app)]] : [];
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}

/**
 * Asks the platform whether an application is valid.
 * @param name the application's configured name
 */
export async function checkApplication(
  { name: platform, oauth }: Pick<Connector, 'name' | 'oauth'>,
  { http, endpoints }: { http: HttpClient; endpoints: Endpoints },
  name: string,
  app: App,
): Promise<AppCheck> {
  const context = { http: (request: HttpRequest) => http({ deadlineMs: POLL_MS, ...request }), endpoints };
  const message = say('application_not_verifiable', { platform });
  return (await oauth?.checkApp?.(context, app, name)) ?? { verdict: 'unverified', message };
}

/**
 * Probes every host of a platform. Any response counts as reachable, because none of these URLs is a page.
 * @returns the problem; null if all hosts respond
 */
export async function reachProblem(
  { name, endpoints }: Pick<Connector, 'name' | 'endpoints'>,
  http: HttpClient,
): Promise<Message | null> {
  const origins = [...new Set(Object.values(endpoints).map((address) => new URL(address).origin))];
  const found = await Promise.all(
    origins.map((origin) =>
      http({ method: 'GET', url: `${origin}/`, deadlineMs: POLL_MS }).then(
        () => null,
        (error: unknown) => {
          const reason = error instanceof NetworkError ? error.reason : say('answer_useless');
          return say('platform_unreachable', { platform: name, host: new URL(origin).host, reason });
        },
      ),
    ),
  );
  return found.find((problem) => problem !== null) ?? null;
}
