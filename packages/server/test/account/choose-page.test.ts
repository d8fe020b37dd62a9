/** The page between a consent and the connected account. */
import { describe, expect, test } from 'vitest';
import type { OfferedAccount } from '../../src/accounts/connect/account-selection.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { choicesIn, choosePage } from '../../src/operations/oauth/choose-page.ts';
import { renderMessage } from '../harness/message.ts';

const values = (...all: string[]) => all.map((value) => ({ value, label: `Label of ${value}` }));

function asked(missing: { name: string; values: ReturnType<typeof values> }[], more: Partial<OfferedAccount> = {}) {
  const choices = missing.map((each) => ({ ...each, label: 'who <can>', required: true, value: null }));
  return { remoteId: 'r"1', username: 'nora', displayName: 'Nora & Co', connected: false, missing: choices, ...more };
}

function page(accounts: readonly OfferedAccount[], { platform = 'tiktok', language = 'en' as 'en' | 'de' } = {}) {
  const step = { then: 'choose', platform, name: 'TikTok', token: 'secret', accounts } as const;
  return String(choosePage({ connectors, language, renderMessage }, step).body);
}

const PRIVACY = { name: 'privacy', values: values('PUBLIC_TO_EVERYONE', 'SELF_ONLY') };

describe('a missing setting', () => {
  test('is asked in its platform’s words, without a value', () => {
    const html = page([asked([PRIVACY])]);
    expect(html).toContain('<legend>Who can see the videos</legend>');
    expect(html).toMatch(/value="PUBLIC_TO_EVERYONE"><span>Everyone/);
    expect(html.match(/ checked/g)).toHaveLength(1);
    expect(html).toMatch(/value="" checked><span>Ask me for every post/);
  });

  test('is asked in the language of the reader', () => {
    expect(page([asked([PRIVACY])], { language: 'de' })).toContain('<legend>Wer kann die Videos sehen?</legend>');
  });

  test('has its own label where the platform has no words', () => {
    const html = page([asked([{ name: 'other', values: values('a<b') }])]);
    expect(html).toContain('<legend>Choose who &#60;can&#62;:</legend>');
    expect(html).toContain('value="a&#60;b"><span>Label of a&#60;b');
  });

  test('with many values is a list that opens', () => {
    const many = values(...Array.from({ length: 30 }, (_, at) => `board${at}`));
    const html = page([asked([{ name: 'board', values: many }])], { platform: 'pinterest' });
    expect(html.match(/<option /g)).toHaveLength(31);
    expect(html).not.toContain('type="radio"');
  });
});

describe('the accounts of a consent', () => {
  test('are all selected if none is connected', () => {
    const html = page([asked([]), asked([], { remoteId: 'r2' })]);
    expect(html.match(/type="checkbox" name="account" value="[^"]+" checked/g)).toHaveLength(2);
    expect(html).toContain('value="r&#34;1"');
    expect(html).toContain('Nora &#38; Co @nora');
  });

  test('are those that are connected otherwise', () => {
    const html = page([asked([]), asked([], { remoteId: 'r2', connected: true })]);
    expect(html.match(/name="account" value="[^"]+" checked/g)).toEqual(['name="account" value="r2" checked']);
  });
});

test('chosen values are read for each account', () => {
  const query = new URLSearchParams([
    ['choice:privacy:one', 'SELF_ONLY'],
    ['choice:board:two:x', '52'],
    ['choice:privacy:three', ''],
    ['choice:', 'x'],
    ['account', 'one'],
  ]);
  expect(choicesIn(query)).toEqual({ one: { privacy: 'SELF_ONLY' }, 'two:x': { board: '52' } });
});
