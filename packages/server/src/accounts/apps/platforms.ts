/** Resolves where an account's calls go: to the platform itself or to its simulator. */
import { endpointsWith } from '../../config/settings.ts';
import type { App, ConnectContext, Connector, Endpoints, JsonObject } from '../../connectors/contract.ts';
import { apiError } from '../../errors/reelay-error.ts';
import type { HttpClient } from '../../outbound/http-client.ts';
import type { AccountsDependencies, Outbound } from '../types.ts';
import { clientKey, registrationsOf } from './app-store.ts';
import { appNamesOf } from './platform-setup.ts';

export interface Platforms {
  /** @throws ReelayError `invalid_request` listing the known platforms */
  connector(platform: string): Connector;
  /** @throws ReelayError `platform_not_connected` for a sandbox account if the sandbox is off */
  endpoints(platform: string, sandbox: boolean): Promise<Endpoints>;
  /** The application used for calls; null if none is configured. */
  app(platform: string, sandbox: boolean): ConnectContext['app'];
  /** All applications of a platform with several kinds of login, by name. */
  apps(platform: string, sandbox: boolean): ConnectContext['apps'];
  /** The operator's settings for this platform; empty for its simulator. */
  settings(platform: string, sandbox: boolean): ConnectContext['settings'];
  outbound(sandbox: boolean): Outbound;
  /**
   * Context for OAuth and credential flows.
   * @param http replaces the default client
   */
  context(platform: string, sandbox: boolean, http?: HttpClient): Promise<ConnectContext>;
  /** Current URL of an account's server. A simulator's URL follows the service's own address. */
  service(account: { platform: string; sandbox: boolean; service: string }): string;
  /** Base URL of a platform's simulator. */
  simulatorUrl(platform: string): string;
  redirectUri(platform: string): string;
}

type Deps = Pick<
  AccountsDependencies,
  'db' | 'sealer' | 'connectors' | 'real' | 'simulated' | 'sandbox' | 'publicUrl' | 'apps' | 'settings' | 'now'
>;

export function createPlatforms(deps: Deps): Platforms {
  const connector = (platform: string) => {
    const found = Object.hasOwn(deps.connectors, platform) ? deps.connectors[platform] : undefined;
    if (found) return found;
    const known = Object.keys(deps.connectors).join(', ');
    throw apiError('platform_unknown', { platform, allowed: known });
  };
  const simulatorUrl = (platform: string) => {
    if (!deps.sandbox) throw apiError('sandbox_off');
    return `${deps.sandbox.origin()}/sandbox/${platform}`;
  };
  const settings = (platform: string, sandbox: boolean) => {
    const own = !sandbox && Object.hasOwn(deps.settings, platform) ? deps.settings[platform] : undefined;
    return own ?? {};
  };
  const endpoints = async (platform: string, sandbox: boolean): Promise<Endpoints> => {
    if (!sandbox) return endpointsWith(connector(platform).endpoints, settings(platform, sandbox));
    const base = simulatorUrl(platform);
    const found = await deps.sandbox?.endpoints(platform, base);
    if (!found) throw apiError('sandbox_without_platform', { platform: connector(platform).name });
    return found;
  };
  const namedApp = (name: string, sandbox: boolean): App | null => {
    if (sandbox) return deps.sandbox?.app ?? null;
    return deps.apps.find(name);
  };
  const apps = (platform: string, sandbox: boolean) =>
    Object.fromEntries(appNamesOf(connector(platform)).map((name) => [name, namedApp(name, sandbox)]));
  const app = (platform: string, sandbox: boolean) =>
    Object.values(apps(platform, sandbox)).find((each) => each !== null) ?? null;
  const outbound = (sandbox: boolean) => (sandbox ? deps.simulated : deps.real);
  return {
    connector,
    endpoints,
    app,
    apps,
    settings,
    outbound,
    simulatorUrl,
    service: ({ platform, sandbox, service }) => (sandbox && service ? simulatorUrl(platform) : service),
    redirectUri: (platform) => `${deps.publicUrl}/oauth/${platform}/callback`,
    context: async (platform, sandbox, http) => ({
      http: http ?? outbound(sandbox).http.request,
      endpoints: await endpoints(platform, sandbox),
      settings: settings(platform, sandbox),
      app: app(platform, sandbox),
      apps: apps(platform, sandbox),
      publicUrl: deps.publicUrl,
      registrations: registrationsOf(deps, platform, sandbox),
      clientKey: () => clientKey(deps),
      now: deps.now,
    }),
  };
}

/** Finds the public document that a platform reads from us at this path; null if not found. */
export async function publicDocument(
  { connectors, platforms }: Pick<AccountsDependencies, 'connectors'> & { platforms: Platforms },
  path: string,
): Promise<JsonObject | null> {
  for (const { id, documents } of Object.values(connectors)) {
    const found = (await documents?.(await platforms.context(id, false)))?.find((each) => each.path === path);
    if (found) return found.body;
  }
  return null;
}
