/** Drives the Pinterest connector against its simulator. */
import { simulator } from '@reelay/sandbox/platforms/pinterest/index.ts';
import { type Board, type Pin, SETTINGS, type Settings } from '@reelay/sandbox/platforms/pinterest/records.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/pinterest/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { OnceRequests } from '../suites/exactly-once.ts';
import { type Call, sendForm, startDrive, type WorkOptions } from './drive.ts';

export const CALLBACK = 'https://reelay.example/oauth/pinterest/callback';

export async function startPinterest(overrides: SimulatorOverrides = {}) {
  const drive = await startDrive(connector, simulator, {
    redirectUri: CALLBACK,
    context: { app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' } },
    simulator: { slowMs: 5, ...overrides },
  });
  const { store } = drive;
  const connect = (granted: readonly string[] = connector.oauth.scopes): Promise<Tokens> =>
    drive.connect((url) => consent(url, { granted }));
  const work = async (text: string, given: WorkOptions = {}) =>
    drive.workWith(await connect(), text, { choices: { board: 'PUBLIC' }, ...given });
  const set = (settings: Partial<Settings>) => store.put(...SETTINGS, settings);
  const boards = async () => (await store.list<Board>('board', { limit: 100 })).map(({ value }) => value);
  const pins = async () => (await store.list<Pin>('pin', { limit: 1_000 })).map(({ value }) => value);
  let made = 0;
  /** Creates a pin that a user made on Pinterest: like ours, except for these changes. */
  const pinByHand = async (like: Partial<Pin>) => {
    const [board] = (await boards()).filter(({ privacy }) => privacy === 'PUBLIC');
    made++;
    const pin: Pin = {
      id: String(drive.clock.now * 1_000 + made),
      accountId: board?.accountId ?? '',
      boardId: board?.id ?? '',
      title: null,
      description: null,
      link: null,
      altText: null,
      mediaId: '0',
      cover: { seconds: 0 },
      createdAt: drive.clock.now,
      announced: true,
      ...like,
    };
    await store.put('pin', pin.id, pin, pin.accountId);
    return pin;
  };
  return { ...drive, connect, work, set, boards, pins, pinByHand };
}

export type Pinterest = Awaited<ReturnType<typeof startPinterest>>;

/** Opens the consent page and submits its form, like the user's browser. @returns the callback's query */
export async function consent(
  url: string,
  given: { username?: string; granted?: readonly string[]; decision?: string } = {},
): Promise<URLSearchParams> {
  const { username = 'nora', granted = connector.oauth.scopes, decision = 'allow' } = given;
  const page = await fetch(url);
  if (page.status !== 200) throw new Error(`The consent page says: ${await page.text()}`);
  await page.text();
  const body = new URLSearchParams({ username, decision });
  for (const scope of granted) body.append('granted', scope);
  return (await sendForm(url, body)).searchParams;
}

export const isToken = ({ path }: Call) => path === '/v5/oauth/token';
export const isRegister = ({ method, path }: Call) => method === 'POST' && path === '/v5/media';
export const isUpload = ({ path }: Call) => path === '/s3/';
export const isPoll = ({ method, path }: Call) => method === 'GET' && path.startsWith('/v5/media/');
export const isList = ({ path }: Call) => /^\/v5\/boards\/\d+\/pins/.test(path);
export const isPin = ({ method, path }: Call) => method === 'POST' && path === '/v5/pins';

/** For the exactly-once suite. */
export const once: OnceRequests<object> = {
  requests: [
    { name: 'registration', when: isRegister },
    { name: 'form', when: isUpload },
    { name: 'poll', when: isPoll },
    { name: 'board', when: isList },
    { name: 'pin', when: isPin },
  ],
  refusals: ['is refused for the token'],
  send: isPin,
  creates: isRegister,
  killed: { calls: 7 },
  doubts: 'Pinterest shows a post that may be this one.',
  list: { when: isList },
};
