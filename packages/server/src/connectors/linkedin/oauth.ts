/**
 * LinkedIn OAuth. There are two kinds of application: "Share on LinkedIn" serves members; the "Community Management
 * API" serves pages and must be the only product of its application. The user chooses what to connect, and the operator
 * may configure one application for each kind.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, OAuthFlow } from '../contract.ts';
import { CLIENT_CREDENTIALS } from '../kit/app-check.ts';
import { valuesOf } from '../kit/choices.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import { reconnect } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { defineOAuth } from '../kit/oauth.ts';
import { tokenErrors, tooManyTokenRequests } from '../kit/oauth-errors.ts';
import { say } from './messages.ts';

const MEMBER_SCOPES = ['openid', 'profile', 'w_member_social'];
const PAGE_SCOPES = ['w_organization_social', 'r_organization_social', 'rw_organization_admin'];
const SCOPES_BY_LOGIN: Record<string, string[]> = {
  member: MEMBER_SCOPES,
  organization: PAGE_SCOPES,
  both: [...MEMBER_SCOPES, ...PAGE_SCOPES],
};
/** An access token without a refresh token is used until this many seconds before it expires. */
const LAST_SECONDS = 60;

const areOfPages = (scopes: readonly string[]) => PAGE_SCOPES.some((scope) => scopes.includes(scope));

const flowFor = (scopes: readonly string[]) =>
  defineOAuth({
    name: 'LinkedIn',
    ...(areOfPages(scopes) ? { appName: 'linkedinpages' } : {}),
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
  asks: [
    {
      name: 'login',
      label: 'post as a member (the default), as the pages that you manage, or as both',
      required: false,
      values: valuesOf({ member: 'Member', organization: 'Pages', both: 'Member and pages' }),
    },
  ],
  async authorize(context, input) {
    // Requests all scopes at once: a later consent with other scopes may revoke these tokens.
    const scopes = SCOPES_BY_LOGIN[input.login ?? 'member'] ?? MEMBER_SCOPES;
    const { url } = await flowFor(scopes).authorize(withApp(context, scopes), input);
    return { url, kept: { scopes } };
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
    const kinds = [MEMBER_SCOPES, PAGE_SCOPES].filter((kind) => kind.some((scope) => granted.includes(scope)));
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
  return classify(ERRORS, { answer: response, code, message: textAt(body, 'error_description') });
}

/** Selects the application for the scopes: the separate one for pages if it is configured. */
function withApp(context: ConnectContext, scopes: readonly string[]): ConnectContext {
  const { linkedin = context.app, linkedinpages = null } = context.apps;
  return { ...context, app: areOfPages(scopes) ? (linkedinpages ?? linkedin) : linkedin };
}
