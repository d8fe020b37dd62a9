/** Drives the X connector in tests. */
import { simulator } from '@reelay/sandbox/platforms/x/index.ts';
import { type Account, type Medium, SWITCHES, type XSwitches } from '@reelay/sandbox/platforms/x/records.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/x/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { OnceRequests } from '../suites/exactly-once.ts';
import { type Call, sendForm, startDrive, type WorkOptions } from './drive.ts';

export const REDIRECT_URI = 'https://reelay.example/oauth/x/callback';

export async function startX(overrides: SimulatorOverrides = {}) {
  const drive = await startDrive(connector, simulator, {
    redirectUri: REDIRECT_URI,
    context: { app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' } },
    simulator: { processingMs: 2_500, ...overrides },
  });
  const { store } = drive;
  const connect = (username = 'nora', granted: readonly string[] = connector.oauth.scopes): Promise<Tokens> =>
    drive.connect((url) => consent(url, { username, granted }));
  const work = async (text: string, given: WorkOptions = {}) => drive.workWith(await connect(), text, given);
  const set = (switches: XSwitches) => store.put(...SWITCHES, switches);
  const changeAccount = async (changes: Partial<Account>) => {
    const { remoteId } = await drive.simulator.enrol('nora');
    await store.change<Account>('account', remoteId, (known) => known && { ...known, ...changes });
  };
  const media = async () => (await store.list<Medium>('media', { limit: 100 })).map(({ value }) => value);
  return { ...drive, connect, work, set, changeAccount, media };
}

export type X = Awaited<ReturnType<typeof startX>>;

/** Acts as the user's browser on the consent page: loads it and submits its form. @returns the callback's query */
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

export const isToken = ({ path }: Call) => path === '/2/oauth2/token';
export const isMe = ({ path }: Call) => path.startsWith('/2/users/me');
export const isInitialize = ({ path }: Call) => path.endsWith('/initialize');
export const isAppend = ({ path }: Call) => path.endsWith('/append');
export const isFinalize = ({ path }: Call) => path.endsWith('/finalize');
export const isStatus = ({ method, path }: Call) => method === 'GET' && path.startsWith('/2/media/upload');
export const isPost = ({ method, path }: Call) => method === 'POST' && path === '/2/tweets';
export const isLook = ({ path }: Call) => /^\/2\/users\/\d+\/tweets/.test(path);

/** For the exactly-once suite. */
export const once: OnceRequests<{ bytes?: number }> = {
  requests: [
    { name: 'initialize', when: isInitialize },
    { name: 'append', when: isAppend },
    { name: 'finalize', when: isFinalize },
    { name: 'status', when: isStatus },
    { name: 'post', when: isPost },
  ],
  refusals: ['is refused for the rate with a time', 'is refused for the token'],
  faults: {
    'is answered with a page and 403': { kind: 'garbage', acted: false, status: 403 },
    'is carried out and answered with 404': { kind: 'status', answer: { status: 404, body: '' }, acted: true },
  },
  send: isPost,
  creates: isInitialize,
  killed: { calls: 5, settings: [{ bytes: 1_500_000 }] },
  refusesSecond: {
    settings: [{}],
    note: 'The platform responded with duplicate, which does not say whether the post was published. The platform says: You are not allowed to create a Tweet with duplicate content.',
  },
};
