/** Drives the Telegram connector against its simulator. */
import { simulator } from '@reelay/sandbox/platforms/telegram/index.ts';
import { type Bot, type Member, SWITCHES, type TelegramSwitches } from '@reelay/sandbox/platforms/telegram/records.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/telegram/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { Blind } from '../suites/exactly-once.ts';
import { type Call, startDrive, type WorkOptions } from './drive.ts';

/** @param overrides.storage false: the account has no storage chat */
export async function startTelegram({ storage = true, ...overrides }: SimulatorOverrides & { storage?: boolean } = {}) {
  const drive = await startDrive(connector, simulator, {
    redirectUri: 'http://127.0.0.1:3000/nobody/comes/back',
    simulator: overrides,
  });
  const set = (switches: TelegramSwitches) => drive.store.put(...SWITCHES, { noStorageChat: !storage, ...switches });
  await set({});
  const account = await drive.simulator.enrol('nora_clips');
  const { identifier, secret: token } = account.credentials ?? { identifier: '', secret: '' };
  const [channel = '', storageChat = ''] = identifier.split(' ');
  const [botId = ''] = token.split(':');
  const connect = (input: Record<string, string> = {}): Promise<Tokens> =>
    connector.credentials.open(drive.context, { identifier, secret: token, ...input });
  const work = async (text: string, given: WorkOptions = {}) => drive.workWith(await connect(), text, given);
  const member = (chat: string, change: Partial<Member>) =>
    drive.store.change<Member>('member', `${chat} ${botId}`, (known) => known && { ...known, ...change });
  const revokeBot = () => drive.store.change<Bot>('bot', token, (bot) => bot && { ...bot, live: false });
  const own = {
    token,
    botId,
    channel,
    channelId: account.remoteId,
    storageChat,
    connect,
    work,
    set,
    member,
    revokeBot,
  };
  return { ...drive, ...own };
}

export type Telegram = Awaited<ReturnType<typeof startTelegram>>;

export const isSend = ({ path }: Call) => path.endsWith('/sendVideo');
/** Matches only the nth call of sendVideo. */
export const nthSend = (n: number) => {
  let count = 0;
  return (call: Call) => isSend(call) && ++count === n;
};

/** For the exactly-once suite. */
export const once: Omit<Blind, 'begin'> = {
  send: isSend,
  refusals: ['is refused for the rate with a time'],
  faults: { 'is answered with 403 by HTML': { kind: 'status', answer: { status: 403, body: '<html>No</html>' } } },
  note: 'Telegram offers no way to verify whether the post was published.',
};
