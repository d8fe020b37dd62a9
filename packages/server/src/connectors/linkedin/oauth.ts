/**
 * LinkedIn OAuth. There are two kinds of application: "Share on LinkedIn" with "Sign In with LinkedIn" serves members;
 * the "Community Management API" serves pages and members, and must be the only product of its application. The user
 * chooses what to connect, and the operator may configure one application for each kind.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { App, ConnectContext, OAuthFlow } from '../contract.ts';
import { CLIENT_CREDENTIALS } from '../kit/app-check.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import { reconnect } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { defineOAuth } from '../kit/oauth.ts';
import { tokenErrors, tooManyTokenRequests } from '../kit/oauth-errors.ts';
import { say } from './messages.ts';

const MEMBER_SCOPES = ['openid', 'profile', 'w_member_social'];
/** Identify the member and allow posts in an application with the Community Management API, which has no OpenID. */
const COMMUNITY_MEMBER_SCOPES = ['r_basicprofile', 'w_member_social'];
const PAGE_SCOPES = ['w_organization_social', 'r_organization_social', 'rw_organization_admin'];
const COMMUNITY_SCOPES = [...COMMUNITY_MEMBER_SCOPES, ...PAGE_SCOPES];
/** An access token without a refresh token is used until this many seconds before it expires. */
const LAST_SECONDS = 60;

const areOfCommunity = (scopes: readonly string[]) =>
  ['r_basicprofile', ...PAGE_SCOPES].some((scope) => scopes.includes(scope));

/**
 * The scopes to request. Only applications created before the Community Management API can have all products; one is
 * assumed for `both` if it is the only application.
 */
function scopesFor(context: ConnectContext, login: string | undefined): readonly string[] {
  const { linkedin, linkedinpages } = appsOf(context);
  if (login === 'organization') return PAGE_SCOPES;
  if (login === 'both') return linkedinpages ? COMMUNITY_SCOPES : [...MEMBER_SCOPES, ...PAGE_SCOPES];
  return !linkedin && linkedinpages ? COMMUNITY_MEMBER_SCOPES : MEMBER_SCOPES;
}

const flowFor = (scopes: readonly string[]) =>
  defineOAuth({
    name: 'LinkedIn',
    ...(areOfCommunity(scopes) ? { appName: 'linkedinpages' } : {}),
    scopes,
    separator: ' ',
    client: 'form',
    consent: ({ www }) => `${www}/oauth/v2/authorization`,
    token: ({ www }) => `${www}/oauth/v2/accessToken`,
    accepts: () => true,
    lifeSeconds: 3_600,
    refreshLife: 'refresh_token_expires_in',
    failureOf: tokenFailure,
    // "Client Credential Flow": only some applications get a token; others get `access_denied`.
    probe: { form: CLIENT_CREDENTIALS, rejected: ['invalid_client'], accepted: ['access_denied'] },
    revocation: { url: ({ www }) => `${www}/oauth/v2/revoke`, tokens: ['accessToken'] },
  });

export const oauth: OAuthFlow = {
  ...flowFor(MEMBER_SCOPES),
  // A refresh token's year starts at the consent, and most applications have no refresh tokens.
  refreshRenews: false,
  appNames: ['linkedin', 'linkedinpages'],
  appScopes: { linkedin: MEMBER_SCOPES, linkedinpages: COMMUNITY_SCOPES },
  asks: [
    {
      name: 'login',
      title: { en: 'Post as', de: 'Veröffentlichen als' },
      required: false,
      values: [
        { value: 'member', title: { en: 'Member', de: 'Mitglied' } },
        { value: 'organization', title: { en: 'Pages that I manage', de: 'Seiten, die ich verwalte' } },
        { value: 'both', title: { en: 'Member and pages', de: 'Mitglied und Seiten' } },
      ],
    },
  ],
  async authorize(context, input) {
    // Requests all scopes at once: a later consent with other scopes may revoke these tokens.
    const scopes = scopesFor(context, input.login);
    const { url } = await flowFor(scopes).authorize(withApp(context, scopes), input);
    return { url, kept: { scopes: [...scopes] } };
  },
  async exchange(context, input) {
    const { scopes } = input.kept;
    const requested = Array.isArray(scopes) ? scopes.map(String) : MEMBER_SCOPES;
    const tokens = await flowFor(requested).exchange(withApp(context, requested), input);
    // A response without `scope` grants all requested scopes.
    return tokens.scopes.length > 0 ? tokens : { ...tokens, scopes: requested };
  },
  /** Without a refresh token, which only approved applications have, keeps the access token until it expires. */
  async refresh(context, tokens) {
    const { scopes, secret } = tokens;
    if (textAt(secret, 'refreshToken')) return flowFor(scopes).refresh(withApp(context, scopes), tokens);
    if (tokens.expiresIn === null || tokens.expiresIn > LAST_SECONDS) return tokens;
    throw new PlatformError(reconnect(say('access_expired')));
  },
  async revoke(context, tokens) {
    await flowFor(tokens.scopes).revoke?.(withApp(context, tokens.scopes), tokens);
  },
  /** If any scope of a kind was granted, all scopes of that kind are required. */
  missingScopes(granted) {
    const ofMember = granted.includes('r_basicprofile') ? COMMUNITY_MEMBER_SCOPES : MEMBER_SCOPES;
    const kinds = [ofMember, PAGE_SCOPES].filter((kind) => kind.some((scope) => granted.includes(scope)));
    const needed = kinds.length > 0 ? kinds.flat() : MEMBER_SCOPES;
    return needed.filter((scope) => !granted.includes(scope));
  },
};

const ERRORS: ErrorTable = [
  tooManyTokenRequests('LinkedIn'),
  ...tokenErrors('LinkedIn', {
    // LinkedIn also reports a used code as `invalid_request`.
    reconnect: ['invalid_grant', 'invalid_request'],
    setup: ['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope'],
  }),
];

/** Maps an error response of the token endpoint. Never throws. */
export function tokenFailure(response: HttpResponse): Failure {
  const body = response.tryJson();
  const code = textAt(body, 'error').slice(0, 100);
  return classify(ERRORS, { response, code, message: textAt(body, 'error_description') });
}

/** Selects the application for the scopes: the separate one for the Community Management API if it is configured. */
function withApp(context: ConnectContext, scopes: readonly string[]): ConnectContext {
  const { linkedin, linkedinpages } = appsOf(context);
  return { ...context, app: areOfCommunity(scopes) ? (linkedinpages ?? linkedin) : linkedin };
}

function appsOf({ app, apps }: ConnectContext): { linkedin: App | null; linkedinpages: App | null } {
  const { linkedin = app, linkedinpages = null } = apps;
  return { linkedin, linkedinpages };
}
