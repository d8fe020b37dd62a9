/**
 * OAuth for Instagram: two logins, each with its own app.
 *
 * Instagram Login gives each account its own token, which is refreshed with itself. Facebook Login covers all accounts
 * whose Pages the user selected, with Page tokens that do not expire.
 */
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { App, ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { setup, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import type { Login } from './api.ts';
import { exchangeFacebook, refreshFacebook } from './facebook-login.ts';
import { exchangeInstagram, refreshInstagram } from './instagram-login.ts';
import { VERSION } from './limits.ts';

const SCOPES: Record<Login, readonly string[]> = {
  instagram: ['instagram_business_basic', 'instagram_business_content_publish'],
  facebook: ['instagram_basic', 'instagram_content_publish', 'pages_read_engagement', 'pages_show_list'],
};

export const oauth: OAuthFlow = {
  needsApp: true,
  appIdVariable: 'APP_ID',
  appNames: ['instagram', 'facebook'],
  asks: [
    {
      name: 'login',
      label: 'how to sign in',
      required: false,
      values: [
        { value: 'instagram', label: 'Instagram' },
        { value: 'facebook', label: 'Facebook' },
      ],
    },
  ],
  scopes: SCOPES.instagram,
  missingScopes(granted) {
    const login = granted.some((scope) => scope.startsWith('instagram_business_')) ? 'instagram' : 'facebook';
    return SCOPES[login].filter((scope) => !granted.includes(scope));
  },
  async authorize(context, { state, redirectUri, login: asked }) {
    const login = loginFor(context, asked);
    const query = new URLSearchParams({
      client_id: appOf(context, login).clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: SCOPES[login].join(','),
      state,
    });
    const { instagram, facebook } = context.endpoints;
    const page = login === 'facebook' ? `${facebook}/${VERSION}/dialog/oauth` : `${instagram}/oauth/authorize`;
    return { url: `${page}?${query}`, kept: { login } };
  },
  async exchange(context, { query, redirectUri, kept }) {
    // Browsers do not send the URL fragment. If it arrives anyway, it is not part of the code.
    const code = query.get('code')?.replace(/#_(=_)?$/, '');
    if (!code) throw new PlatformError(transient('Nothing was allowed at Instagram. Try again.'));
    const login: Login = textAt(kept, 'login') === 'facebook' ? 'facebook' : 'instagram';
    const app = appOf(context, login);
    const exchange = login === 'facebook' ? exchangeFacebook : exchangeInstagram;
    return exchange(context, app, { code, redirectUri });
  },
  refresh: (context, tokens) =>
    textAt(tokens.secret, 'login') === 'facebook'
      ? refreshFacebook(context, tokens)
      : refreshInstagram(context, tokens),
  tokensFrom,
};

/** The requested login, else the first one that has an app. */
function loginFor({ apps }: ConnectContext, asked: string | undefined): Login {
  if (asked === 'instagram' || asked === 'facebook') return asked;
  return !apps.instagram && apps.facebook ? 'facebook' : 'instagram';
}

function appOf(context: ConnectContext, login: Login): App {
  const app = context.apps[login];
  if (app) return app;
  const name = login.toUpperCase();
  const detail = `No application is configured for this login: set ${name}_APP_ID and ${name}_APP_SECRET.`;
  const failure: Failure = setup(detail);
  throw new PlatformError(failure);
}

/** Parses a long-lived token of either login; token prefixes tell them apart. @throws PlatformError */
function tokensFrom(response: JsonObject): Tokens {
  const accessToken = textAt(response, 'access_token');
  if (!accessToken) throw new PlatformError(transient('Instagram gave no token.'));
  const expiresIn = Number(textAt(response, 'expires_in')) || null;
  const login: Login = accessToken.startsWith('EAA') ? 'facebook' : 'instagram';
  return { secret: { login, accessToken }, scopes: [], expiresIn, refreshExpiresIn: null, service: '' };
}
