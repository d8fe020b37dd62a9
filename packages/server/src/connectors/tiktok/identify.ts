import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ChoiceValue, ConnectContext, Tokens } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { askCreator, type Caller, type Creator, call } from './api.ts';
import { capabilities, choices } from './limits.ts';

const FIELDS = 'open_id,avatar_url,display_name,username';

/** Reads the account's profile and its posting limits (`creator_info`). @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const caller = { http: context.http, endpoints: context.endpoints, secret: tokens.secret };
  const { data } = await call(caller, 'GET', `/v2/user/info/?fields=${FIELDS}`);
  const creator = await creatorIfAny(caller);
  const username = textAt(data, 'user', 'username') || (creator?.username ?? '');
  const { video } = capabilities;
  return {
    remoteId: textAt(data, 'user', 'open_id'),
    username,
    displayName: textAt(data, 'user', 'display_name') || creator?.nickname || username,
    avatarUrl: textAt(data, 'user', 'avatar_url'),
    capabilities: creator?.maxSeconds
      ? { ...capabilities, video: { ...video, maxSeconds: creator.maxSeconds } }
      : capabilities,
    ...(creator?.privacies ? { choices: { privacy: creator.privacies.map(labelled) } } : {}),
  };
}

function labelled(value: string): ChoiceValue {
  const known = choices.flatMap(({ values }) => values).find((each) => each.value === value);
  return known ?? { value, label: value };
}

/**
 * Returns null for an account that currently may not post (daily cap, ban). It can still be connected, because
 * `creator_info` is queried again before each post.
 */
async function creatorIfAny(caller: Caller): Promise<Creator | null> {
  try {
    return await askCreator(caller);
  } catch (error) {
    const kind = error instanceof PlatformError ? error.failure.kind : null;
    if (kind === 'rateLimited' || kind === 'rejected' || kind === 'setup') return null;
    throw error;
  }
}
