/** Drives the Mastodon connector against its simulator. */
import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import { type MastodonSwitches, SWITCHES } from '@reelay/sandbox/platforms/mastodon/state.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/mastodon/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { OnceRequests } from '../suites/exactly-once.ts';
import { type Call, sendForm, startDrive, type WorkOptions } from './drive.ts';

export const REDIRECT_URI = 'http://127.0.0.1:3000/oauth/mastodon/callback';

export async function startInstance(overrides: SimulatorOverrides = {}) {
  const drive = await startDrive(connector, simulator, {
    redirectUri: REDIRECT_URI,
    simulator: overrides,
  });
  const set = (switches: MastodonSwitches) => drive.store.put(...SWITCHES, switches);
  /** Opens the consent page and submits its form, like the user's browser. */
  const consent = async (url: string, fields: Record<string, string> = { username: 'nora', decision: 'allow' }) => {
    const body = new URL(url).searchParams;
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return (await sendForm(url.split('?')[0] ?? '', body)).searchParams;
  };
  const connect = (fields?: Record<string, string>): Promise<Tokens> => drive.connect((url) => consent(url, fields));
  const work = async (text: string, given: WorkOptions = {}) => drive.workWith(await connect(), text, given);
  return { ...drive, set, consent, connect, work };
}

export type Instance = Awaited<ReturnType<typeof startInstance>>;

export const isStatus = ({ method, path }: Call) => method === 'POST' && path === '/api/v1/statuses';
export const isUpload = ({ path }: Call) => path === '/api/v2/media';
export const isPoll = ({ method, path }: Call) => method === 'GET' && path.startsWith('/api/v1/media/');
export const isCover = ({ method, path }: Call) => method === 'PUT' && path.startsWith('/api/v1/media/');
export const isLook = ({ method, path }: Call) => method === 'GET' && path.startsWith('/api/v1/statuses/');

/** For the exactly-once suite. The settings are those of the server. */
export const once: OnceRequests<MastodonSwitches> = {
  requests: [
    { name: 'upload', when: isUpload },
    { name: 'poll', when: isPoll },
    { name: 'cover', when: isCover },
    { name: 'status', when: isStatus },
    { name: 'look', when: isLook },
  ],
  refusals: ['is refused for the rate with a time'],
  send: isStatus,
  creates: isUpload,
  killed: { calls: 6 },
  doubts: 'Mastodon no longer knows the upload. The post may have been published. Verifying.',
  refusesSecond: { settings: [{}, { forgetIdempotencyKey: true }] },
};
