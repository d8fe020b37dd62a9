/** What a user gives to add a channel, and what is wrong with it. Pure. */
import { fieldProblem } from '../messages/fields.ts';
import type { Message } from '../messages/message.ts';
import { ntfyTopic } from './chat-requests.ts';
import type { ChannelKind, ChannelTarget } from './kinds.ts';

export interface GivenChannel {
  kind: ChannelKind;
  name: string;
  url?: string | undefined;
  keys?: { p256dh: string; auth: string } | undefined;
  replaces?: string | undefined;
  token?: string | undefined;
  chatId?: string | undefined;
}

export interface AddedChannel {
  name: string;
  target: ChannelTarget;
  /** Address of the same browser before it got another one. */
  replaces: string | null;
}

const OPTIONAL = ['url', 'keys', 'replaces', 'token', 'chatId'] as const;
type Field = (typeof OPTIONAL)[number];

const FIELDS: Readonly<Record<ChannelKind, { needed: readonly Field[]; allowed: readonly Field[] }>> = {
  push: { needed: ['url', 'keys'], allowed: ['replaces'] },
  ntfy: { needed: ['url'], allowed: ['token'] },
  discord: { needed: ['url'], allowed: [] },
  slack: { needed: ['url'], allowed: [] },
  telegram: { needed: ['token', 'chatId'], allowed: [] },
};

/** The fields that are missing, too many, or wrong for the kind. */
export function givenProblems(given: GivenChannel): { field: Field; problem: Message }[] {
  const { kind, url, token } = given;
  const { needed, allowed } = FIELDS[kind];
  const missing = needed.filter((name) => given[name] === undefined);
  const extra = OPTIONAL.filter(
    (name) => given[name] !== undefined && !needed.includes(name) && !allowed.includes(name),
  );
  const wrong: [Field, Message][] = [];
  if (kind === 'ntfy' && url !== undefined && !isTopic(url)) wrong.push(['url', fieldProblem('not_topic')]);
  if (kind === 'telegram' && token !== undefined && !/^\d{1,20}:[\w-]{20,100}$/.test(token))
    wrong.push(['token', fieldProblem('malformed')]);
  return [
    ...missing.map((field) => ({ field, problem: fieldProblem('malformed') })),
    ...extra.map((field) => ({ field, problem: fieldProblem('not_needed') })),
    ...wrong.map(([field, problem]) => ({ field, problem })),
  ];
}

/** User names and passwords in addresses are refused: they would not be sent. */
export function isChannelAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** The names that ntfy accepts (its documentation: Publishing, Picking a topic name). */
function isTopic(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.search === '' && url.hash === '' && /^[-\w]{1,64}$/.test(ntfyTopic(address).topic);
}

/** @param given without {@link givenProblems} */
export function channelOf(given: GivenChannel): AddedChannel {
  const { kind, name, url = '', keys = { p256dh: '', auth: '' }, token, chatId = '', replaces = null } = given;
  const target = (): ChannelTarget => {
    switch (kind) {
      case 'push':
        return { kind, url, ...keys };
      case 'ntfy':
        return { kind, url, token: token ?? null };
      case 'telegram':
        return { kind, token: token ?? '', chatId };
      default:
        return { kind, url };
    }
  };
  return { name, target: target(), replaces };
}
