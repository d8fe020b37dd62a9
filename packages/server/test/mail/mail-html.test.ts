import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mailHtml } from '../../src/mail/mail-html.ts';
import { type Mail, type MailMessage, mailTexts } from '../../src/messages/mail.ts';
import { digestMail, type MailedEntry } from '../../src/messages/notification-mail.ts';

const htmlOf = (text: string, given: Partial<Mail> = {}) => mailHtml({ subject: 'S', text, language: 'en', ...given });

/** The tags of a document, without what differs from mail to mail. */
function tagsOf(html: string): string[] {
  return (html.match(/<[^>]*>/g) ?? []).map((tag) =>
    tag.replace(/ href="https?:\/\/[^\s"<>]+"/, ' href=""').replaceAll(/ lang="(?:en|de)"/g, ''),
  );
}

/** What is shown, without spaces and hyphens: those of items and of the signature are not shown. */
function shownIn(html: string): string {
  return html
    .slice(html.indexOf('<h1'))
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/[\s-]/g, '');
}

const LINK = 'https://reelay.example/app/reset-password#Jm8Zr2bq0aXw9Yt7Lk3Pv5Nd1Cs6Hf4G';
const RESET: MailMessage = {
  name: 'password_reset',
  params: { user: 'nora@example.org', host: 'reelay.example', minutes: 60, link: LINK },
};
const FAILED: MailedEntry = {
  kind: 'post_failed',
  url: 'https://reelay.example/app/posts/1',
  description: 'Summer in Rome',
  accounts: 2,
  affected: [
    { account: 'TikTok (Nora)', code: 'video_rejected', detail: 'See https://tiktok.example/a?b=1&c=2.' },
    { account: 'X (Nora)', code: 'permission_missing', detail: null },
  ],
};
const digestOf = (entries: MailedEntry[], language: 'en' | 'de' = 'en') =>
  digestMail(language, {
    entries,
    zone: 'UTC',
    host: 'reelay.example',
    settingsUrl: 'https://reelay.example/app/settings#notifications',
    url: 'https://reelay.example/app/',
  });

/** Every tag that a mail may have: these mails have each of them. */
const TAGS = new Set(
  [htmlOf('a\nb'), mailHtml(mailTexts('en', RESET)), mailHtml(digestOf([FAILED, FAILED]))].flatMap(tagsOf),
);

const unknownTags = (html: string) => tagsOf(html).filter((tag) => !TAGS.has(tag));

describe('a link with a token', () => {
  test.each([
    ['en', 'Choose a new password'],
    ['de', 'Neues Passwort wählen'],
  ] as const)('is one button with its address in %s', (language, label) => {
    const html = mailHtml(mailTexts(language, RESET));
    expect(html.split(`href="${LINK}"`)).toHaveLength(2);
    expect(html.split(`>${LINK}</p>`)).toHaveLength(2);
    expect(html.split(LINK)).toHaveLength(3);
    expect(html).toContain(`>${label}</a>`);
    expect(html).toContain(`<html lang="${language}">`);
  });
});

describe('a digest', () => {
  test('of one post has a button and a list', () => {
    const html = mailHtml(digestOf([FAILED]));
    expect(html).toContain('href="https://reelay.example/app/posts/1"');
    expect(html).toContain('>Open in Reelay</a>');
    expect(html.match(/<li [^>]*>[^<]*/g)?.map((item) => item.replace(/<[^>]*>/, ''))).toEqual([
      'TikTok (Nora): The video was rejected. See ',
      'X (Nora): A permission is missing.',
    ]);
    expect(html).toContain('href="https://tiktok.example/a?b=1&#38;c=2"');
    expect(html).toContain('>https://tiktok.example/a?b=1&#38;c=2</a>.</li>');
  });

  test('of several posts has links, and lines between posts', () => {
    const html = mailHtml(digestOf([FAILED, FAILED, FAILED]));
    expect(html).not.toContain('>Open in Reelay</a>');
    expect(html.split('>https://reelay.example/app/posts/1</a>')).toHaveLength(4);
    expect(html.split('<div class="entry"')).toHaveLength(3);
  });

  test('links to the settings below the card', () => {
    const html = mailHtml(digestOf([FAILED], 'de'));
    const footer = html.slice(html.lastIndexOf('<table'));
    expect(footer).toContain('href="https://reelay.example/app/settings#notifications"');
    expect(footer).toContain('</a>.</p>');
    expect(html).not.toContain('--');
  });
});

test.each([
  ['a https://a.example/b, c', 'https://a.example/b'],
  ['(http://a.example/b)', 'http://a.example/b'],
  ['“https://a.example/b”', 'https://a.example/b'],
  ['https://a.example/b\u202egpj', 'https://a.example/b'],
  ['a\nhttps://a.example/?b="c"', 'https://a.example/?b='],
  ['https://a.example/b… was cut', undefined],
  ['https://a.example/b…', undefined],
  ['https://', undefined],
  ['https://[', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,<script>alert(1)</script>', undefined],
  ['www.a.example nora@example.org', undefined],
])('the address in %j is linked: %s', (text, href) => {
  expect(/href="([^"]*)"/.exec(htmlOf(text))?.[1]).toBe(href);
});

test('lines and paragraphs of the text stay', () => {
  const html = htmlOf('one\ntwo\n\nthree\n\n\n\nfour\n');
  expect(html).toContain('>one<br>two</p>');
  expect(html).toContain('>three</p>');
  expect(html).toContain('>four</p>');
});

test('each text decides its direction', () => {
  const html = htmlOf('صيف في روما\n- בדיקה');
  expect(html).toMatch(/<p [^>]*dir="auto"[^>]*>صيف في روما<\/p>/);
  expect(html).toMatch(/<li dir="auto"[^>]*>בדיקה<\/li>/);
});

test('a mail loads nothing and has dark colors', () => {
  const html = mailHtml(digestOf([FAILED, FAILED]));
  expect(html).not.toMatch(/<(?:img|script|link|iframe|form|svg)\b|\bsrc=|url\(|@import|data:/i);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('@media (prefers-color-scheme:dark)');
});

describe('text of users and platforms', () => {
  const hostile = fc.array(
    fc.oneof(
      fc.constantFrom('<', '>', '&', '"', "'", '</p>', '</style>', '<!--', '-->', ']]>', '&lt;', '&#60;', '\0', '\r'),
      fc.constantFrom('<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '" onclick="x', "' style='x"),
      fc.constantFrom('https://a.example/', 'http://', 'https://a.example/"><b>', 'javascript:alert(1)', '//a.example'),
      fc.constantFrom('\n', '\n\n', '\n- ', '\n-- \n', ' ', '\u202e', '\u2067', 'ש', '“', '”', '…', '\ud800'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 30 },
  );

  test('never becomes markup, and is shown completely', () => {
    fc.assert(
      fc.property(hostile, hostile, fc.boolean(), (subjects, texts, hasAction) => {
        const [subject, text] = [subjects.join(''), texts.join('')];
        const html = htmlOf(text, { subject, action: hasAction ? 'Open' : undefined });
        expect(unknownTags(html)).toEqual([]);
        if (hasAction) return;
        expect(shownIn(html)).toBe(`${subject}${text}`.replaceAll(/[\s-]/g, ''));
      }),
      { numRuns: 500 },
    );
  });

  test('in a security mail is escaped', () => {
    const user = '"<b>&\'"@example.org';
    const html = mailHtml(mailTexts('en', { name: 'passkey_added', params: { user, host: 'reelay.example' } }));
    expect(html).toContain('user &#34;&#60;b&#62;&#38;&#39;&#34;@example.org at reelay.example');
  });

  test('adds neither a button nor a list to a digest', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (description, account, detail) => {
        const affected = [{ account: account.join(''), code: 'video_rejected', detail: detail.join('') }];
        const html = mailHtml(digestOf([{ ...FAILED, description: description.join(''), affected }]));
        expect(unknownTags(html)).toEqual([]);
        expect(html.split('class="button"')).toHaveLength(2);
        expect(html.split('<li ')).toHaveLength(2);
      }),
      { numRuns: 100 },
    );
  });

  test('of any length is rendered in linear time', () => {
    const long = ['https://', '- ', '…', 'https://a.example/.'].map((part) => part.repeat(50_000)).join('\n');
    expect(htmlOf(long).length).toBeGreaterThan(long.length);
  });
});
