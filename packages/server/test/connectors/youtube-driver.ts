/** Drives the YouTube connector in tests. */
import { simulator } from '@reelay/sandbox/platforms/youtube/index.ts';
import {
  type Account,
  type AppSettings,
  SETTINGS,
  type Session,
  type Video,
} from '@reelay/sandbox/platforms/youtube/records.ts';
import type { Connector, Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/youtube/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { OnceRequests } from '../suites/exactly-once.ts';
import { type Call, sendForm, startDrive, type WorkOptions } from './drive.ts';

export const CALLBACK = 'https://reelay.example/oauth/youtube/callback';

/** Size of a file that is sent in one part and a last part, bytes. */
export const TWO_PARTS = 600_000;

/** The connector, keeping the refresh token as the service does if a response has none. */
const kept: Connector = {
  ...connector,
  oauth: {
    ...connector.oauth,
    async refresh(context, tokens) {
      const renewed = await connector.oauth.refresh?.(context, tokens);
      if (!renewed) throw new Error('Google tokens are renewed.');
      return { ...renewed, secret: { ...tokens.secret, ...renewed.secret } };
    },
  },
};

export async function startYouTube(overrides: SimulatorOverrides = {}) {
  const drive = await startDrive(kept, simulator, {
    redirectUri: CALLBACK,
    context: { app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' } },
    simulator: overrides,
  });
  const { store } = drive;
  const connect = (
    username = 'nora.cuts',
    { granted = connector.oauth.scopes as readonly string[] } = {},
  ): Promise<Tokens> => drive.connect((url) => consent(url, { username, granted }));
  const work = async (text: string, given: WorkOptions = {}) => drive.workWith(await connect(), text, given);
  const changeAccount = async (changes: Partial<Account>) => {
    const { remoteId } = await drive.simulator.enrol('nora.cuts');
    await store.change<Account>('account', remoteId, (known) => known && { ...known, ...changes });
  };
  const set = (settings: Partial<AppSettings>) => store.put(...SETTINGS, settings);
  const sessions = async () => (await store.list<Session>('session', { limit: 100 })).map(({ value }) => value);
  const videos = async () => (await store.list<Video>('video', { limit: 100 })).map(({ value }) => value);
  /** Changes the latest session. */
  const changeSession = async (changes: Partial<Session>) => {
    const [session] = await sessions();
    await store.change<Session>('session', session?.uploadId ?? '', (known) => known && { ...known, ...changes });
  };
  const changeVideo = async (changes: Partial<Video>) => {
    const [video] = await videos();
    await store.change<Video>('video', video?.id ?? '', (known) => known && { ...known, ...changes });
  };
  /** Expires the latest session. */
  const endSession = () => changeSession({ expiresAt: 0 });
  const counted = (when: (call: Call) => boolean) => drive.requests.filter(when).length;
  return {
    ...drive,
    connect,
    work,
    changeAccount,
    set,
    sessions,
    videos,
    changeSession,
    changeVideo,
    endSession,
    counted,
  };
}

export type YouTube = Awaited<ReturnType<typeof startYouTube>>;

/** Acts as the user's browser on the consent page: loads it and submits its form. @returns the callback's query */
export async function consent(
  url: string,
  given: { username?: string; granted?: readonly string[]; decision?: string } = {},
): Promise<URLSearchParams> {
  const { username = 'nora.cuts', granted = connector.oauth.scopes, decision = 'allow' } = given;
  const page = await fetch(url);
  if (page.status !== 200) throw new Error(`The consent page says: ${await page.text()}`);
  await page.text();
  const body = new URLSearchParams({ username, decision });
  for (const scope of granted) body.append('granted', scope);
  return (await sendForm(url, body)).searchParams;
}

const isAt =
  (method: string, part: string) =>
  (call: Call): boolean =>
    call.method === method && call.path.startsWith(part);
export const isToken = isAt('POST', '/token');
export const isRevoke = isAt('POST', '/revoke');
export const isChannel = isAt('GET', '/youtube/v3/channels');
export const isStart = isAt('POST', '/upload/youtube/v3/videos');
export const isPut = isAt('PUT', '/upload/youtube/v3/videos');
export const isNthPut = (nth: number) => (call: Call & { nth: number }) => isPut(call) && call.nth === nth;
export const isPoll = isAt('GET', '/youtube/v3/videos');
export const isThumbnail = isAt('POST', '/upload/youtube/v3/thumbnails');
export const isUploads = isAt('GET', '/youtube/v3/playlistItems');

/** Content ranges that the connector sent, in order. */
export function rangesOf({ asked }: Pick<YouTube, 'asked'>): string[] {
  return asked.flatMap(({ method, headers }) => (method === 'PUT' ? [headers?.['content-range'] ?? ''] : []));
}

/** For the exactly-once suite. */
export const once: OnceRequests<{ bytes?: number }> = {
  requests: [
    { name: 'opening', when: isStart },
    { name: 'only part', when: isNthPut(1) },
    { name: 'first part', when: isNthPut(1), setting: { bytes: TWO_PARTS } },
    { name: 'last part', when: isNthPut(2), setting: { bytes: TWO_PARTS } },
    { name: 'picture', when: isThumbnail },
    { name: 'poll', when: isPoll },
  ],
  refusals: ['is refused for the token', 'is carried out and refused for the token'],
  faults: { 'is redirected with 308': { kind: 'redirect', status: 308 } },
  send: isPut,
  creates: isStart,
  killed: { calls: 6, settings: [{ bytes: TWO_PARTS }] },
  unseen: { bytes: TWO_PARTS },
  doubts: 'YouTube already has the whole video. Verifying whether it was published.',
  refusesSecond: { settings: [{ bytes: TWO_PARTS }] },
};
