/**
 * LinkedIn OAuth. There are two kinds of application: "Share on LinkedIn" serves members; the "Community Management
 * API" serves pages and must be the only product of its application. The user chooses what to connect, and the operator
 * may configure one application for each kind.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { App, ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import { reconnect, setup, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { checkRevocation, codeIn } from '../kit/oauth.ts';
import { tooManyTokenRequests } from '../kit/oauth-errors.ts';
import { readTokenResponse, tokenResponse } from '../kit/token-answer.ts';
import { tameWords } from '../kit/words.ts';

const MEMBER_SCOPES = ['openid', 'profile', 'w_member_social'] as const;
const PAGE_SCOPES = ['w_organization_social', 'r_organization_social', 'rw_organization_admin'] as const;
const ASKED: Record<string, readonly string[]> = {
  member: MEMBER_SCOPES,
  organization: PAGE_SCOPES,
  both: [...MEMBER_SCOPES, ...PAGE_SCOPES],
};
/** An access token without a refresh token is used until this many seconds before it expires. */
const LAST_SECONDS = 60;
/** Lifetime of an access token in seconds if the response gives none. */
const DEFAULT_LIFE_SECONDS = 3_600;

export const oauth: OAuthFlow = {
  needsApp: true,
  // A refresh token's year starts at the consent, and most applications have no refresh tokens.
  refreshRenews: false,
  appNames: ['linkedin', 'linkedinpages'],
  asks: [
    {
      name: 'login',
      label: 'post as a member (the default), as the pages that you run, or as both',
      required: false,
      values: [
        { value: 'member', label: 'Member' },
        { value: 'organization', label: 'Pages' },
        { value: 'both', label: 'Member and pages' },
      ],
    },
  ],
  scopes: MEMBER_SCOPES,
  async authorize(context, { state, redirectUri, login = 'member' }) {
    // Requests all scopes at once: a later consent with other scopes may revoke these tokens.
    const scopes = ASKED[login] ?? MEMBER_SCOPES;
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: appFor(context, scopes).clientId,
      redirect_uri: redirectUri,
      state,
      scope: scopes.join(' '),
    });
    return { url: `${context.endpoints.www}/oauth/v2/authorization?${query}`, kept: { scopes: [...scopes] } };
  },
  async exchange(context, { query, redirectUri, kept }) {
    const asked = Array.isArray(kept.scopes) ? kept.scopes.map(String) : MEMBER_SCOPES;
    const form = { grant_type: 'authorization_code', code: codeIn(query, 'LinkedIn'), redirect_uri: redirectUri };
    const tokens = await token(context, appFor(context, asked), form);
    return tokens.scopes.length > 0 ? tokens : { ...tokens, scopes: asked };
  },
  /**
   * Refreshes the token if there is a refresh token, which only approved applications have. Otherwise keeps the access
   * token until it expires.
   */
  async refresh(context, tokens) {
    const refreshToken = textAt(tokens.secret, 'refreshToken');
    if (refreshToken)
      return token(context, appFor(context, tokens.scopes), {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      });
    if (tokens.expiresIn === null || tokens.expiresIn > LAST_SECONDS) return tokens;
    throw new PlatformError(reconnect('The access to LinkedIn has run out. Connect again.'));
  },
  async revoke(context, tokens) {
    const app = appFor(context, tokens.scopes);
    const response = await post(context, app, 'revoke', { token: textAt(tokens.secret, 'accessToken') });
    checkRevocation(response, tokenFailure);
  },
  tokensFrom,
  missingScopes,
};

/** Parses a token response. @throws PlatformError */
function tokensFrom(response: JsonObject): Tokens {
  return readTokenResponse(response, {
    name: 'LinkedIn',
    lifeSeconds: DEFAULT_LIFE_SECONDS,
    refreshLife: 'refresh_token_expires_in',
  });
}

/** If any scope of a kind was granted, all scopes of that kind are required. */
function missingScopes(granted: readonly string[]): readonly string[] {
  const kinds = [MEMBER_SCOPES, PAGE_SCOPES].filter((kind) => kind.some((scope) => granted.includes(scope)));
  const needed: readonly string[] = kinds.length > 0 ? kinds.flat() : MEMBER_SCOPES;
  return needed.filter((scope) => !granted.includes(scope));
}

/** Requests tokens. @throws PlatformError */
async function token(context: ConnectContext, app: App, form: Record<string, string>): Promise<Tokens> {
  const response = await post(context, app, 'accessToken', form);
  const body = tokenResponse(response.tryJson());
  if (!body) throw new PlatformError(tokenFailure(response));
  return tokensFrom(body);
}

function post(
  context: ConnectContext,
  { clientId, clientSecret }: App,
  path: 'accessToken' | 'revoke',
  form: Record<string, string>,
): Promise<HttpResponse> {
  return context.http({
    method: 'POST',
    url: `${context.endpoints.www}/oauth/v2/${path}`,
    form: { ...form, client_id: clientId, client_secret: clientSecret },
  });
}

const ERRORS: ErrorTable = [
  tooManyTokenRequests('LinkedIn'),
  // LinkedIn also reports a used code as `invalid_request`.
  {
    code: ['invalid_grant', 'invalid_request'],
    failure: ({ words }) => reconnect(`LinkedIn no longer accepts this. Connect again. ${words}`.trim()),
  },
  {
    code: ['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope'],
    failure: ({ code, words }) => setup(`LinkedIn refused the application (${code}). ${words}`.trim()),
  },
  { failure: ({ code, status }) => transient(`LinkedIn's sign-in answered ${tameWords(code) || status}.`) },
];

/** Maps an error response of the token endpoint. Never throws. */
export function tokenFailure(response: HttpResponse): Failure {
  const body = response.tryJson();
  const code = textAt(body, 'error').slice(0, 100);
  return classify(ERRORS, { answer: response, code, message: textAt(body, 'error_description') });
}

/** Selects the application for the scopes: the separate one for pages if it is configured. @throws PlatformError */
function appFor({ app, apps }: Pick<ConnectContext, 'app' | 'apps'>, scopes: readonly string[]): App {
  const { linkedin = app, linkedinpages = null } = apps;
  const ofPages = PAGE_SCOPES.some((scope) => scopes.includes(scope));
  const found = ofPages ? (linkedinpages ?? linkedin) : linkedin;
  if (found) return found;
  const names = ofPages
    ? 'LINKEDINPAGES_CLIENT_ID and LINKEDINPAGES_CLIENT_SECRET'
    : 'LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET';
  throw new PlatformError(setup(`No LinkedIn application is configured for this: set ${names}.`));
}
