/** Notifications as short messages for phones and chats: a title and a few lines of plain text. */
import type { Language } from './languages.ts';
import { renderText } from './message.ts';
import { entryLines, entrySubject, type MailedEntry } from './notification-mail.ts';

export interface ChatText {
  title: string;
  body: string;
}

/** Entries in one message; the rest is counted. */
const MAX_ENTRIES = 8;
/** Accounts of one post with a line of their own. */
const MAX_ACCOUNTS = 3;

const ENGLISH = {
  several: '{count} things need your attention',
  more: 'and {count} more',
  test_title: 'Reelay can reach you here',
  test_body: 'This is a test. Notifications of {host} arrive here.',
};

const GERMAN: typeof ENGLISH = {
  several: '{count} Dinge brauchen deine Aufmerksamkeit',
  more: 'und {count} weitere',
  test_title: 'Reelay erreicht dich hier',
  test_body: 'Das ist ein Test. Benachrichtigungen von {host} kommen hier an.',
};

const TEXTS: Readonly<Record<Language, typeof ENGLISH>> = { en: ENGLISH, de: GERMAN };

/** Renders one message about all entries. Pure. @param zone IANA time zone of the reader */
export function chatText(language: Language, zone: string, entries: readonly MailedEntry[]): ChatText {
  const texts = TEXTS[language];
  const [first] = entries;
  if (first && entries.length === 1)
    return {
      title: entrySubject(language, first),
      body: entryLines(language, zone, first, MAX_ACCOUNTS).join('\n'),
    };
  // The accounts of each post are left out, and so is the colon before them.
  const lines = entries
    .slice(0, MAX_ENTRIES)
    .map((entry) => `• ${entryLines(language, zone, entry)[0].replace(/:$/, '.')}`);
  const hidden = entries.length - lines.length;
  return {
    title: renderText(texts.several, { count: entries.length }),
    body: [...lines, ...(hidden > 0 ? [renderText(texts.more, { count: hidden })] : [])].join('\n'),
  };
}

/** The message of a test. Pure. @param host of the service */
export function testText(language: Language, host: string): ChatText {
  const { test_title: title, test_body: body } = TEXTS[language];
  return { title, body: renderText(body, { host }) };
}
