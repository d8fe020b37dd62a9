/** Who can see a post as it was sent. The table is written from each platform's documentation, not from the code. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, SentPost } from '../../src/connectors/contract.ts';
import { connectors } from '../../src/connectors/registry.ts';

interface Given {
  options?: JsonObject;
  choices?: Record<string, string>;
  extra?: JsonObject;
  checkpoint?: JsonObject;
}

const sent = ({ options = {}, choices = {}, extra = {}, checkpoint = {} }: Given): SentPost => ({
  post: { options },
  session: { choices, extra },
  checkpoint,
});

const privacy = (value: string) => ({ privacy: value });
const BOARDS = { boards: { PUBLIC: '11', PROTECTED: '22', SECRET: '33' }, openBoards: ['11', '22', '44'] };

type Row = readonly [says: string, given: Given, isPublic: boolean];

const ROWS: Record<string, readonly Row[]> = {
  bluesky: [['has no other audience', {}, true]],
  facebook: [['a Page is public', {}, true]],
  instagram: [
    ['a professional account is public', {}, true],
    ['a reel only in the Reels tab', { options: { shareToFeed: false } }, true],
    ['a trial reel', { options: { trial: 'manual' } }, false],
    ['a trial reel that may graduate', { options: { trial: 'performance' } }, false],
    ['an unknown kind of trial', { options: { trial: 'unheard' } }, false],
  ],
  linkedin: [
    ['the default', {}, true],
    ['everybody', { options: { visibility: 'PUBLIC' } }, true],
    ['connections', { options: { visibility: 'CONNECTIONS' } }, false],
    ['members', { options: { visibility: 'LOGGED_IN' } }, false],
    ['an unknown value', { options: { visibility: 'UNHEARD' } }, false],
  ],
  mastodon: [
    ['public by option', { options: { visibility: 'public' } }, true],
    ['unlisted by option', { options: { visibility: 'unlisted' } }, true],
    ['followers', { options: { visibility: 'private' }, extra: privacy('public') }, false],
    ['the mentioned', { options: { visibility: 'direct' } }, false],
    ['public by default', { extra: privacy('public') }, true],
    ['unlisted by default', { extra: privacy('unlisted') }, true],
    ['followers by default', { extra: privacy('private') }, false],
    ['public by option, followers by default', { options: { visibility: 'public' }, extra: privacy('private') }, true],
    ['an unknown option', { options: { visibility: 'unheard' }, extra: privacy('public') }, false],
    ['an unknown default', {}, false],
  ],
  pinterest: [
    ['a public board by kind', { choices: { board: 'PUBLIC' }, extra: BOARDS }, true],
    ['a protected board by kind', { choices: { board: 'PROTECTED' }, extra: BOARDS }, true],
    ['a secret board by kind', { choices: { board: 'SECRET' }, extra: BOARDS }, false],
    ['an open board by id', { choices: { board: '22' }, extra: BOARDS }, true],
    ['a secret board by id', { choices: { board: '33' }, extra: BOARDS }, false],
    ['a secret board by option', { options: { board: '33' }, choices: { board: 'PUBLIC' }, extra: BOARDS }, false],
    ['an open board by option', { options: { board: '44' }, choices: { board: 'SECRET' }, extra: BOARDS }, true],
    ['the board of the checkpoint', { checkpoint: { boardId: '33' }, choices: { board: '22' }, extra: BOARDS }, false],
    ['an unknown board', { options: { board: '55' }, extra: BOARDS }, false],
    ['no board', {}, false],
    ['a kind, before all boards were stored', { choices: { board: 'PUBLIC' }, extra: { boards: BOARDS.boards } }, true],
    ['an id, before all boards were stored', { choices: { board: '44' }, extra: { boards: BOARDS.boards } }, false],
  ],
  snapchat: [['Spotlight is public', {}, true]],
  telegram: [
    ['a channel with a name', { extra: { publicName: 'noraclips' } }, true],
    ['a channel without a name', { extra: { publicName: '' } }, false],
    ['an unknown channel', {}, false],
  ],
  threads: [['the platform does not say', {}, true]],
  tiktok: [
    ['everybody by setting', { choices: privacy('PUBLIC_TO_EVERYONE') }, true],
    ['everybody by option', { options: privacy('PUBLIC_TO_EVERYONE'), choices: privacy('SELF_ONLY') }, true],
    ['oneself by option', { options: privacy('SELF_ONLY'), choices: privacy('PUBLIC_TO_EVERYONE') }, false],
    ['followers', { choices: privacy('FOLLOWER_OF_CREATOR') }, false],
    ['friends', { choices: privacy('MUTUAL_FOLLOW_FRIENDS') }, false],
    [
      'oneself when it was checked',
      { checkpoint: privacy('SELF_ONLY'), choices: privacy('PUBLIC_TO_EVERYONE') },
      false,
    ],
    [
      'everybody when it was checked',
      { checkpoint: privacy('PUBLIC_TO_EVERYONE'), choices: privacy('SELF_ONLY') },
      true,
    ],
    ['an unknown value', { options: privacy('UNHEARD'), choices: privacy('PUBLIC_TO_EVERYONE') }, false],
    ['no value', {}, false],
  ],
  x: [
    ['an open account', { extra: { protected: false } }, true],
    ['a protected account', { extra: { protected: true } }, false],
    ['replies of few', { options: { replySettings: 'following' }, extra: { protected: false } }, true],
    ['an unknown account', {}, false],
  ],
  youtube: [
    ['the default', {}, true],
    ['public by option', { options: privacy('public'), choices: privacy('private') }, true],
    ['unlisted', { options: privacy('unlisted') }, false],
    ['private', { options: privacy('private'), choices: privacy('public') }, false],
    ['public by setting', { choices: privacy('public') }, true],
    ['private by setting', { choices: privacy('private') }, false],
    ['private when the upload began', { checkpoint: privacy('private'), choices: privacy('public') }, false],
    ['public when the upload began', { checkpoint: privacy('public'), choices: privacy('private') }, true],
    ['an unknown value', { options: privacy('unheard') }, false],
  ],
};

test('every connector has rows', () => {
  expect(Object.keys(ROWS).sort()).toEqual(Object.keys(connectors).sort());
});

describe.each(Object.entries(ROWS))('%s', (platform, rows) => {
  test.each(rows)('%s', (_, given, isPublic) => {
    expect(connectors[platform]?.isPublic(sent(given))).toBe(isPublic);
  });
});

test.each(Object.values(connectors))('the rows of $id have every audience that it offers', ({ id, choices }) => {
  const given = (ROWS[id] ?? []).flatMap(([, { options, choices: chosen }]) => [options, chosen]);
  for (const { name, values } of choices.filter((choice) => ['privacy', 'board'].includes(choice.name)))
    for (const { value } of values) expect(given).toContainEqual({ [name]: value });
});
