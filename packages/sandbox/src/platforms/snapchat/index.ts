/** Simulator of Snapchat: consent, a public profile, encrypted media in parts, and Spotlight. */
import type {
  PlatformRefusal,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
  SimulatorResponse,
} from '../../contract.ts';
import { letterPicture, pictureRoute } from '../../http/pages.ts';
import { routesWith } from '../../http/routes.ts';
import { refusal, tooMany, unauthorised } from './answers.ts';
import { consentRoutes } from './consent.ts';
import { mediaRoutes } from './media.ts';
import { spotlightPage } from './pages.ts';
import { profileRoutes } from './profile.ts';
import { enrolProfile, type Profile, SCOPE, variant } from './records.ts';
import { spotlightRoutes } from './spotlights.ts';
import { exchange, grantTokens } from './tokens.ts';

/** Wait in seconds for an error that gives one. */
const REFUSED_WAIT_SECONDS = 2;

export const simulator: SimulatorModule = {
  platform: 'snapchat',
  create,
  endpoints: (baseUrl) => ({ api: baseUrl, accounts: baseUrl, www: baseUrl }),
  variants: [
    variant('lists that lag a minute', { listLagMs: 60_000 }),
    variant('errors with status 200, and profiles in a list', { errorStatus: 200, profileShape: 'list' }),
  ],
};

function create(options: SimulatorOptions): Simulator {
  const route = routesWith(options);
  return {
    platform: 'snapchat',
    routes: [
      ...consentRoutes(options),
      route('POST', '/login/oauth2/access_token', exchange),
      ...profileRoutes(options),
      ...mediaRoutes(options),
      ...spotlightRoutes(options),
      route('GET', '/spotlight/:id', spotlightPage),
      pictureRoute<Profile>(options, '/avatar/:id', 'profile', ({ username }) =>
        letterPicture(username, '#cc0', '#000'),
      ),
    ],
    refusal: (kind) => refusals()[kind],
    unknownRoute: () => refusal(404, 'NOT_FOUND', 'There is no such path.'),
    async enrol(given) {
      const { id: remoteId, username } = await enrolProfile(options, given);
      return { remoteId, username, tokenAnswer: await grantTokens(options, remoteId, [SCOPE]), credentials: null };
    },
  };
}

function refusals(): Record<PlatformRefusal, SimulatorResponse> {
  return {
    'rate-limited': tooMany(),
    'rate-limited-with-wait': tooMany(REFUSED_WAIT_SECONDS),
    'server-error': refusal(500, 'INTERNAL_ERROR', 'Something went wrong.'),
    'token-expired': unauthorised(),
    'token-revoked': unauthorised(),
  };
}
