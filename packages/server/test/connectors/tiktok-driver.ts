/** Drives the TikTok connector in tests. */
import { simulator } from '@reelay/sandbox/platforms/tiktok/index.ts';
import type { Account, AppSettings, Task } from '@reelay/sandbox/platforms/tiktok/records.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/tiktok/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { OnceRequests } from '../suites/exactly-once.ts';
import { type Call, sendForm, startDrive, type WorkOptions } from './drive.ts';

export const DESKTOP = 'http://127.0.0.1:3000/oauth/tiktok/callback';
export const WEB = 'https://reelay.example/oauth/tiktok/callback';

/** Size of the smallest file that needs two parts, bytes. */
export const TWO_PARTS = 10_485_760;

export async function startTikTok(overrides: SimulatorOverrides = {}) {
  const drive = await startDrive(connector, simulator, {
    redirectUri: DESKTOP,
    context: { app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' } },
    simulator: overrides,
  });
  const { store } = drive;
  const connect = (
    username = 'nora.cuts',
    { redirectUri = DESKTOP, granted = connector.oauth.scopes as readonly string[] } = {},
  ): Promise<Tokens> => drive.connect((url) => consent(url, { username, granted }), { redirectUri });
  const work = async (text: string, given: WorkOptions = {}) =>
    drive.workWith(await connect(), text, { choices: { privacy: 'PUBLIC_TO_EVERYONE' }, ...given });
  const changeAccount = async (changes: Partial<Account>) => {
    const { remoteId } = await drive.simulator.enrol('nora.cuts');
    await store.change<Account>('account', remoteId, (known) => known && { ...known, ...changes });
  };
  const setApp = (settings: Partial<AppSettings>) =>
    store.put('app', 'settings', { audited: true, activeUserCap: null, ...settings });
  const tasks = async () => (await store.list<Task>('task', { limit: 100 })).map(({ value }) => value);
  const changeTask = async (changes: Partial<Task>) => {
    const [task] = await tasks();
    await store.change<Task>('task', task?.uploadId ?? '', (known) => known && { ...known, ...changes });
  };
  return { ...drive, connect, work, changeAccount, setApp, tasks, changeTask };
}

export type TikTok = Awaited<ReturnType<typeof startTikTok>>;

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
  (part: string) =>
  ({ path }: Call) =>
    path.includes(part);
export const isToken = isAt('/v2/oauth/token/');
export const isCreator = isAt('/creator_info/query/');
export const isInit = isAt('/video/init/');
export const isStatus = isAt('/status/fetch/');
export const isList = isAt('/v2/video/list/');
export const isPart = ({ method, path }: Call) => method === 'PUT' && path.startsWith('/video/');

/** Sets our duration on the listed videos, because the simulator finds none in the test file. */
export async function giveLength({ store }: TikTok) {
  for (const { key } of await store.list('video', { limit: 100 }))
    await store.change<object>('video', key, (video) => video && { ...video, durationMs: 31_400 });
}

/** Content ranges of the chunks that the connector requested, in order. */
export function rangesOf({ asked }: TikTok): string[] {
  return asked.flatMap(({ method, headers }) => (method === 'PUT' ? [headers?.['content-range'] ?? ''] : []));
}

/** For the exactly-once suite. */
export const once: OnceRequests<{ bytes?: number }> = {
  requests: [
    { name: 'creator query', when: isCreator },
    { name: 'init', when: isInit },
    { name: 'only part', when: isPart },
    { name: 'first part of two', when: isPart, setting: { bytes: TWO_PARTS } },
    { name: 'status', when: isStatus },
  ],
  refusals: ['is refused for the token', 'is carried out and refused for the token'],
  send: isPart,
  creates: isInit,
  killed: { calls: 7, settings: [{ bytes: TWO_PARTS }] },
  unseen: { bytes: TWO_PARTS },
  refusesSecond: {
    settings: [{ bytes: TWO_PARTS }],
    note: 'The platform responded with 416, which does not say whether the post was published.',
  },
  list: {
    when: isList,
    matches: {
      found: (published) => ({ then: 'posted', published }),
      olderMs: 11_000,
      duration: true,
      several: 'several',
    },
  },
};
