/** A fake platform: OAuth with rotating refresh tokens, logins, several pages per consent. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SimulatorModule, SimulatorResponse } from '@reelay/sandbox/contract.ts';
import type { ConnectContext, Connector, JsonObject, Tokens } from '../../src/connectors/contract.ts';
import { at, numberAt, textAt } from '../../src/connectors/kit/json.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { messageOf } from '../harness/message.ts';

/** Settings that a test changes while the platform runs. */
export interface ToySettings {
  /** In seconds; any value, to simulate an invalid response. */
  expiresIn: unknown;
  /** Whether refresh responses contain a new refresh token. */
  rotates: boolean;
  /** Whether consent responses contain a refresh token. */
  refreshable: boolean;
  scopes: string;
  /** The audiences that the account may choose from. */
  audiences: string[];
  displayName: string;
  avatar: { status: number; body: Buffer; location?: string };
  pages: string[];
  /** Who consents, if a revocation ends everything that they granted: "" if the platform does not say. */
  person: string | null;
  /** Makes the consent page return this error. */
  consentError: string | null;
  maxLength: number;
}

export interface Toy {
  module: SimulatorModule;
  connector: Connector;
  settings: ToySettings;
  /** Number of refresh requests that the platform executed. */
  refreshes(): number;
  revoked: string[];
  /** Every secret that it ever issued. */
  secrets: string[];
}

export const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

export function createToy(): Toy {
  const settings: ToySettings = {
    expiresIn: 3600,
    rotates: true,
    refreshable: true,
    scopes: 'who post',
    audiences: ['ALL', 'ME'],
    displayName: 'Nora',
    avatar: { status: 200, body: PNG },
    pages: [],
    person: null,
    consentError: null,
    maxLength: 100,
  };
  const toy: Toy = {
    settings,
    refreshes: () => refreshes,
    revoked: [],
    secrets: [],
    module: undefined as never,
    connector,
  };
  let refreshes = 0;
  const codes = new Map<string, { user: string; redirectUri: string }>();
  const { alive, access, secret, issue } = createIssuer(settings, toy.secrets);
  const no = (error: string): SimulatorResponse => ({ status: 400, body: { error } });
  toy.module = {
    platform: 'toy',
    endpoints: (base) => ({ api: base }),
    create: () => ({
      platform: 'toy',
      refusal: () => no('refused'),
      unknownRoute: () => ({ status: 404, body: {} }),
      async enrol(username) {
        return { remoteId: `id-${username}`, username, tokenAnswer: issue(username, true), credentials: null };
      },
      routes: [
        {
          method: 'GET',
          path: '/authorize',
          async handle({ query }) {
            const back = new URL(query.get('redirect_uri') ?? '');
            back.searchParams.set('state', query.get('state') ?? '');
            if (settings.consentError) back.searchParams.set('error', settings.consentError);
            else {
              const code = secret('code');
              codes.set(code, { user: query.get('login') ?? 'nora', redirectUri: query.get('redirect_uri') ?? '' });
              back.searchParams.set('code', code);
            }
            return { status: 302, headers: { location: back.href } };
          },
        },
        {
          method: 'POST',
          path: '/token',
          async handle(request) {
            const form = await request.form();
            const code = codes.get(form.get('code') ?? '');
            if (form.get('grant_type') === 'code') {
              codes.delete(form.get('code') ?? '');
              if (!code || code.redirectUri !== form.get('redirect_uri')) return no('invalid_code');
              return { status: 200, body: issue(code.user, settings.refreshable) };
            }
            const given = form.get('refresh_token') ?? '';
            const user = alive.get(given);
            if (user === undefined) return no('invalid_grant');
            refreshes++;
            if (settings.rotates) alive.delete(given);
            return { status: 200, body: issue(user, settings.rotates) };
          },
        },
        {
          method: 'GET',
          path: '/me',
          async handle({ headers }) {
            const user = access.get(headers.authorization ?? '');
            if (user === undefined) return no('invalid_token');
            const { displayName, audiences, pages, maxLength } = settings;
            return { status: 200, body: { id: `id-${user}`, user, displayName, audiences, pages, maxLength } };
          },
        },
        {
          method: 'POST',
          path: '/revoke',
          async handle(request) {
            const token = (await request.form()).get('token') ?? '';
            toy.revoked.push(token);
            access.delete(token);
            return { status: 200, body: {} };
          },
        },
        {
          method: 'GET',
          path: '/avatar',
          async handle() {
            const { status, body, location } = settings.avatar;
            return { status, body: Readable.from([body]), ...(location ? { headers: { location } } : {}) };
          },
        },
      ],
    }),
  };
  toy.connector = connector;
  return toy;
}

/** Issues tokens. @param secrets every secret is added */
function createIssuer(settings: ToySettings, secrets: string[]) {
  /** Valid refresh tokens: token → username. */
  const alive = new Map<string, string>();
  const access = new Map<string, string>();
  const secret = (kind: string) => {
    const made = `${kind}.${randomBytes(12).toString('hex')}`;
    secrets.push(made);
    return made;
  };
  const issue = (user: string, withRefresh: boolean): JsonObject => {
    const token = secret('access');
    access.set(token, user);
    const response = { access_token: token, expires_in: settings.expiresIn, scope: settings.scopes } as JsonObject;
    if (settings.person !== null) response.person = settings.person;
    if (!withRefresh) return response;
    const refresh = secret('refresh');
    alive.set(refresh, user);
    return { ...response, refresh_token: refresh, refresh_expires_in: 86_400 };
  };
  return { alive, access, secret, issue };
}

const never = () => Promise.reject(new Error('not made for this'));

const capabilities: Connector['capabilities'] = {
  video: { maxBytes: 1_000_000, containers: ['mp4'] },
  caption: { maxLength: 100, unit: 'codepoints' },
  watch: 'own',
};

function tokensFrom(response: JsonObject): Tokens {
  const refreshToken = textAt(response, 'refresh_token');
  return {
    secret: {
      accessToken: textAt(response, 'access_token'),
      ...(refreshToken ? { refreshToken } : {}),
      ...(response.person === undefined ? {} : { person: response.person }),
    },
    scopes: textAt(response, 'scope').split(' ').filter(Boolean),
    expiresIn: at(response, 'expires_in') as number,
    refreshExpiresIn: numberAt(response, 'refresh_expires_in'),
    service: '',
  };
}

async function token(context: ConnectContext, form: Record<string, string>): Promise<Tokens> {
  const response = await context.http({ method: 'POST', url: `${context.endpoints.api}/token`, form });
  if (response.status === 200) return tokensFrom(JSON.parse(response.text) as JsonObject);
  const platformCode = textAt(response.tryJson(), 'error');
  if (platformCode === 'invalid_grant')
    throw new PlatformError({ kind: 'reconnect', detail: messageOf('Toy has ended the access.'), platformCode });
  throw new PlatformError({ kind: 'transient', detail: messageOf(`Toy answered ${response.status}.`), platformCode });
}

async function me(context: ConnectContext, tokens: Tokens) {
  const response = await context.http({
    method: 'GET',
    url: `${context.endpoints.api}/me`,
    headers: { authorization: textAt(tokens.secret, 'accessToken') },
  });
  const body = response.tryJson();
  if (response.status !== 200)
    throw new PlatformError({
      kind: 'tokenExpired',
      detail: messageOf('Toy does not take the token.'),
      platformCode: textAt(body, 'error'),
    });
  const facts = {
    remoteId: textAt(body, 'id'),
    username: textAt(body, 'user'),
    displayName: textAt(body, 'displayName'),
    avatarUrl: `${context.endpoints.api}/avatar`,
    capabilities: {
      ...capabilities,
      caption: { ...capabilities.caption, maxLength: numberAt(body, 'maxLength') ?? 0 },
    },
    choices: { audience: (at(body, 'audiences') as string[]).map((value) => ({ value, label: `To ${value}` })) },
  };
  return { facts, pages: at(body, 'pages') as string[] };
}

const connector: Connector = {
  id: 'toy',
  name: 'Toy',
  federated: false,
  capabilities,
  choices: [
    {
      name: 'audience',
      label: 'who can see the posts',
      required: true,
      values: [
        { value: 'ALL', label: 'Everyone' },
        { value: 'FRIENDS', label: 'Friends' },
        { value: 'ME', label: 'Only me' },
      ],
    },
  ],
  endpoints: { api: 'https://api.toy.example' },
  oauth: {
    needsApp: true,
    asks: [],
    scopes: ['who', 'post'],
    async authorize(context, { state, redirectUri, identifier }) {
      const query = new URLSearchParams({ state, redirect_uri: redirectUri, login: identifier ?? 'nora' });
      return { url: `${context.endpoints.api}/authorize?${query}`, kept: { verifier: 'kept-secret' } };
    },
    exchange(context, { query, redirectUri, kept }) {
      if (kept.verifier !== 'kept-secret') throw new Error('What was kept is lost.');
      return token(context, { grant_type: 'code', code: query.get('code') ?? '', redirect_uri: redirectUri });
    },
    refresh: (context, tokens) =>
      token(context, { grant_type: 'refresh', refresh_token: textAt(tokens.secret, 'refreshToken') }),
    async revoke(context, tokens) {
      await context.http({
        method: 'POST',
        url: `${context.endpoints.api}/revoke`,
        form: { token: textAt(tokens.secret, 'accessToken') },
      });
    },
    consentOf: ({ secret }) => (secret.person === undefined ? null : { app: 'toys', person: String(secret.person) }),
    tokensFrom,
  },
  credentials: {
    fields: [
      { name: 'identifier', title: { en: 'Handle', de: 'Handle' }, secret: false, required: true },
      { name: 'secret', title: { en: 'App password', de: 'App-Passwort' }, secret: true, required: true },
    ],
    async open(_context, { identifier, secret }) {
      if (secret !== 'right')
        throw new PlatformError({
          kind: 'reconnect',
          detail: messageOf('Toy does not know this password.'),
          platformCode: 'wrong_password',
        });
      return {
        secret: { accessToken: `login.${identifier}` },
        scopes: [],
        expiresIn: null,
        refreshExpiresIn: null,
        service: '',
      };
    },
  },
  budgets: [],
  identify: async (context, tokens) => (await me(context, tokens)).facts,
  async identifyAll(context, tokens) {
    const { facts, pages } = await me(context, tokens);
    if (pages.length === 0) return [facts];
    return pages.map((page) => ({ ...facts, remoteId: `page-${page}`, username: page }));
  },
  begin: never,
  step: never,
  commit: {
    request: never,
    responses: [],
    codeOf: () => '',
    done: () => ({ then: 'failed', failure: { kind: 'transient', detail: messageOf('') } }),
  },
  confirm: never,
  verify: never,
  matchBy: 'id',
  settle: { waitMs: 0, apartMs: 0, idempotency: 'none' },
  completeWithoutIdMs: 0,
  isPublic: () => true,
  canonicalId: (id) => id,
};
