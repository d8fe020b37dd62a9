/**
 * Instagram simulator: the Instagram Platform with both logins, containers, the upload host and lists. Each of the
 * platform's hosts is a path prefix below the base URL.
 */
import type { Route, Simulator, SimulatorModule, SimulatorOptions, SimulatorVariant } from '../../contract.ts';
import { limited, refuse } from './answers.ts';
import { showConsent, takeConsent } from './consent.ts';
import { edge, node } from './nodes.ts';
import { picture, reelPage } from './pages.ts';
import { me, pagesOfUser, permissions, removeApplication } from './people.ts';
import { enrolAccount, type Login, SCOPES, type Settings, settingsOf } from './records.ts';
import { exchangeFacebook, exchangeInstagram, grantTokens, lengthen, renew } from './tokens.ts';
import { receive } from './upload.ts';

export const simulator: SimulatorModule = {
  platform: 'instagram',
  variants: [
    variant('Facebook login and uploads', { login: 'facebook' }),
    variant('lists that lag a minute', { listLagMs: 60_000 }),
    variant('a container that says late that it is published', { statusLagMs: 600_000 }),
  ],
  create,
  endpoints: (baseUrl) => ({
    instagram: `${baseUrl}/www-instagram`,
    instagramApi: `${baseUrl}/api-instagram`,
    instagramGraph: `${baseUrl}/graph-instagram`,
    facebook: `${baseUrl}/www-facebook`,
    facebookGraph: `${baseUrl}/graph-facebook`,
    facebookUpload: `${baseUrl}/rupload`,
  }),
};

function variant(name: string, settings: Partial<Settings>): SimulatorVariant {
  return { name, prepare: (books) => books.put('settings', 'app', settings) };
}

function create(options: SimulatorOptions): Simulator {
  return {
    platform: 'instagram',
    routes: [...logins(options), ...graph(options, 'instagram'), ...graph(options, 'facebook'), ...others(options)],
    refusal(kind) {
      switch (kind) {
        case 'rate-limited':
          return limited('17841400000000001', null);
        case 'rate-limited-with-wait':
          return limited('17841400000000001', 7);
        case 'server-error':
          return refuse('2', 'Service temporarily unavailable', { status: 500, transient: true });
        case 'token-expired':
          return refuse('190/463', 'The session has expired.');
        case 'token-revoked':
          return refuse('190/458', 'The user has removed the application.');
      }
    },
    unknownRoute: ({ path }) => refuse('2500', `Unknown path components: ${path.slice(0, 80)}`),
    async enrol(username) {
      const { igId, username: known } = await enrolAccount(options, username);
      const { login } = await settingsOf(options);
      const tokenAnswer = await grantTokens(options, { login, igIds: [igId], scopes: [...SCOPES[login]] });
      return { remoteId: igId, username: known, tokenAnswer, credentials: null };
    },
  };
}

function logins(options: SimulatorOptions): Route[] {
  return [
    {
      method: 'GET',
      path: '/www-instagram/oauth/authorize',
      handle: (request) => showConsent(options, request, 'instagram'),
    },
    {
      method: 'POST',
      path: '/www-instagram/oauth/authorize',
      handle: (request) => takeConsent(options, request, 'instagram'),
    },
    {
      method: 'GET',
      path: '/www-facebook/:version/dialog/oauth',
      handle: (request) => showConsent(options, request, 'facebook'),
    },
    {
      method: 'POST',
      path: '/www-facebook/:version/dialog/oauth',
      handle: (request) => takeConsent(options, request, 'facebook'),
    },
    {
      method: 'POST',
      path: '/api-instagram/oauth/access_token',
      handle: (request) => exchangeInstagram(options, request),
    },
    { method: 'GET', path: '/graph-instagram/access_token', handle: (request) => lengthen(options, request) },
    { method: 'GET', path: '/graph-instagram/refresh_access_token', handle: (request) => renew(options, request) },
    ...(['GET', 'POST'] as const).map(
      (method): Route => ({
        method,
        path: '/graph-facebook/:version/oauth/access_token',
        handle: (request) => exchangeFacebook(options, request),
      }),
    ),
  ];
}

function graph(options: SimulatorOptions, host: Login): Route[] {
  const base = `/graph-${host}/:version`;
  return [
    { method: 'GET', path: `${base}/me`, handle: (request) => me(options, request, host) },
    ...(host === 'facebook' ? ofPerson(options, base) : []),
    { method: 'GET', path: `${base}/:id`, handle: (request) => node(options, request, host) },
    { method: 'GET', path: `${base}/:id/:edge`, handle: (request) => edge(options, request, host) },
    { method: 'POST', path: `${base}/:id/:edge`, handle: (request) => edge(options, request, host) },
  ];
}

function ofPerson(options: SimulatorOptions, base: string): Route[] {
  return [
    { method: 'GET', path: `${base}/me/accounts`, handle: (request) => pagesOfUser(options, request) },
    { method: 'GET', path: `${base}/me/permissions`, handle: (request) => permissions(options, request) },
    { method: 'DELETE', path: `${base}/me/permissions`, handle: (request) => removeApplication(options, request) },
  ];
}

function others(options: SimulatorOptions): Route[] {
  return [
    { method: 'POST', path: '/rupload/ig-api-upload/:version/:id', handle: (request) => receive(options, request) },
    { method: 'GET', path: '/www-instagram/reel/:shortcode/', handle: (request) => reelPage(options, request) },
    { method: 'GET', path: '/picture/:igId', handle: (request) => picture(options, request) },
  ];
}
