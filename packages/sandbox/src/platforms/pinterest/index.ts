/** Simulator of Pinterest: OAuth, boards, video upload by an S3 form, and pins (API v5). */
import type {
  PlatformRefusal,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
  SimulatorResponse,
} from '../../contract.ts';
import { letterPicture, pictureRoute } from '../../http/pages.ts';
import { routesWith } from '../../http/routes.ts';
import { authenticationFailed, refusal, tooMany } from './answers.ts';
import { consentRoutes } from './consent.ts';
import { mediaRoutes } from './media.ts';
import { pinPage } from './pages.ts';
import { pinRoutes } from './pins.ts';
import { profileRoutes } from './profile.ts';
import { type Account, enrolAccount, SCOPES, variant } from './records.ts';
import { receiveForm } from './s3.ts';
import { exchange, grantTokens } from './tokens.ts';

/** Wait in seconds for an error that gives one. */
const REFUSED_WAIT_SECONDS = 2;

export const simulator: SimulatorModule = {
  platform: 'pinterest',
  create,
  endpoints: (baseUrl) => ({ api: baseUrl, www: baseUrl }),
  variants: [
    variant('lists that lag a minute', { listLagMs: 60_000 }),
    variant('lists that begin with the oldest, and times of another zone', { oldestFirst: true, zoneMs: -28_800_000 }),
  ],
};

function create(options: SimulatorOptions): Simulator {
  const route = routesWith(options);
  return {
    platform: 'pinterest',
    routes: [
      ...consentRoutes(options),
      route('POST', '/v5/oauth/token', exchange),
      ...profileRoutes(options),
      ...mediaRoutes(options),
      ...pinRoutes(options),
      route('POST', '/s3/', receiveForm),
      route('GET', '/pin/:id/', pinPage),
      pictureRoute<Account>(options, '/avatar/:id', 'account', ({ username }) => letterPicture(username, '#b00')),
    ],
    refusal: (kind) => refusals()[kind],
    unknownRoute: () => refusal(404, 40, 'The requested resource was not found.'),
    async enrol(given) {
      const { id: remoteId, username } = await enrolAccount(options, given);
      return { remoteId, username, tokenAnswer: await grantTokens(options, remoteId, SCOPES), credentials: null };
    },
  };
}

function refusals(): Record<PlatformRefusal, SimulatorResponse> {
  return {
    'rate-limited': refusal(429, 8, 'You have exceeded your rate limit. Try again later.'),
    'rate-limited-with-wait': tooMany(REFUSED_WAIT_SECONDS),
    'server-error': refusal(500, 12, 'Something went wrong on our end. Sorry about that.'),
    'token-expired': authenticationFailed(),
    'token-revoked': authenticationFailed(),
  };
}
