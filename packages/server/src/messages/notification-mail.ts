/** Mails about notifications. What users and platforms wrote is cut, on one line, and never in the subject. */
import { cleanText, cutText } from '../lib/text.ts';
import { writeMoment } from './formats.ts';
import type { Language } from './languages.ts';
import type { Mail } from './mail.ts';
import { renderText } from './message.ts';

/** What a mail says about one notification. */
export type MailedEntry =
  | {
      kind: 'post_failed' | 'post_trouble';
      url: string;
      description: string;
      accounts: number;
      /** Those on which it failed, or is retried. */
      affected: readonly MailedFailure[];
    }
  | { kind: 'account_reconnect' | 'access_ends' | 'source_unread'; url: string; account: string; moment: Date | null };

export interface MailedFailure {
  /** Platform and username. */
  account: string;
  /** A `TargetCode`. */
  code: string;
  /** The reason, with the platform's own words. */
  detail: string | null;
}

export interface Digest {
  entries: readonly MailedEntry[];
  /** IANA time zone of the reader. */
  zone: string;
  host: string;
  /** The dashboard's page where notifications are turned off. */
  settingsUrl: string;
  /** The dashboard. */
  url: string;
}

/** Entries in one mail; the rest is counted. */
const MAX_ENTRIES = 20;
/** Failed accounts of one post. */
const MAX_FAILURES = 12;
/** In UTF-16 units. */
const MAX_DESCRIPTION = 80;
const MAX_DETAIL = 300;
const MAX_ACCOUNT = 100;

const ENGLISH = {
  subject_post_failed: 'A post was not published everywhere',
  subject_post_trouble: 'A post is being retried',
  subject_account_reconnect: 'An account needs to be reconnected',
  subject_access_ends: 'Scheduled posts will lose access to an account',
  subject_source_unread: 'A repost rule cannot read its source',
  subject_many: '{count} Reelay notifications',
  post_failed: 'Your post “{post}” failed on {failed} of {accounts} accounts:',
  post_failed_one: 'Your post “{post}” failed:',
  post_trouble: 'Your post “{post}” is being retried on {failed} of {accounts} accounts:',
  post_trouble_one: 'Your post “{post}” is being retried:',
  untitled: 'without text',
  failure: '- {account}: {cause} {detail}',
  more_failures: '- and {count} more',
  account_reconnect: '{account} needs to be reconnected. Until then, posts to it fail.',
  access_ends: 'Access to {account} expires on {moment}, before your last scheduled post. Reconnect it by then.',
  source_unread: 'New posts on {account} have not been read since {moment}. Repost rules may miss some.',
  more: 'and {count} more: {url}',
  action: 'Open in Reelay',
  footer: 'You can choose at {settings} which notifications {host} sends you by mail.',
};

const GERMAN: typeof ENGLISH = {
  subject_post_failed: 'Ein Beitrag wurde nicht überall veröffentlicht',
  subject_post_trouble: 'Ein Beitrag wird wiederholt',
  subject_account_reconnect: 'Ein Konto muss neu verbunden werden',
  subject_access_ends: 'Geplante Beiträge verlieren den Zugriff auf ein Konto',
  subject_source_unread: 'Eine Repost-Regel kann ihre Quelle nicht lesen',
  subject_many: '{count} Benachrichtigungen von Reelay',
  post_failed: 'Dein Beitrag „{post}“ ist auf {failed} von {accounts} Konten fehlgeschlagen:',
  post_failed_one: 'Dein Beitrag „{post}“ ist fehlgeschlagen:',
  post_trouble: 'Dein Beitrag „{post}“ wird auf {failed} von {accounts} Konten wiederholt:',
  post_trouble_one: 'Dein Beitrag „{post}“ wird wiederholt:',
  untitled: 'ohne Text',
  failure: '- {account}: {cause} {detail}',
  more_failures: '- und {count} weitere',
  account_reconnect: '{account} muss neu verbunden werden. Bis dahin schlagen Beiträge dorthin fehl.',
  access_ends:
    'Der Zugriff auf {account} endet am {moment}, vor deinem letzten geplanten Beitrag. Verbinde es vorher neu.',
  source_unread:
    'Neue Beiträge auf {account} konnten seit {moment} nicht gelesen werden. Repost-Regeln verpassen vielleicht welche.',
  more: 'und {count} weitere: {url}',
  action: 'In Reelay öffnen',
  footer: 'Welche Benachrichtigungen {host} dir per Mail schickt, wählst du unter {settings}.',
};

const ENGLISH_CAUSES: Readonly<Record<string, string>> = {
  outcome_unknown: 'Reelay does not know whether this was posted.',
  reconnect_required: 'The account must be reconnected.',
  permission_missing: 'A permission is missing.',
  setup_needed: 'A setting is missing.',
  video_rejected: 'The video was rejected.',
  caption_rejected: 'The caption was rejected.',
  policy_rejected: 'The platform’s rules do not allow this post.',
  duplicate_rejected: 'The platform already has this post.',
  platform_limit_reached: 'The platform’s limit is reached.',
  platform_unavailable: 'The platform did not recover in time.',
  platform_error: 'The platform reported an error.',
  plan_limit_reached: 'Your plan’s limit is reached.',
  late_skipped: 'Skipped, because it was late.',
  stopped: 'You stopped it.',
  internal_error: 'Internal error.',
};

const GERMAN_CAUSES: Readonly<Record<string, string>> = {
  outcome_unknown: 'Es ist nicht bekannt, ob der Beitrag veröffentlicht wurde.',
  reconnect_required: 'Das Konto muss neu verbunden werden.',
  permission_missing: 'Eine Berechtigung fehlt.',
  setup_needed: 'Eine Einstellung fehlt.',
  video_rejected: 'Das Video wurde abgelehnt.',
  caption_rejected: 'Der Text wurde abgelehnt.',
  policy_rejected: 'Die Regeln der Plattform erlauben diesen Beitrag nicht.',
  duplicate_rejected: 'Die Plattform hat diesen Beitrag schon.',
  platform_limit_reached: 'Das Limit der Plattform ist erreicht.',
  platform_unavailable: 'Die Plattform war zu lange nicht erreichbar.',
  platform_error: 'Die Plattform meldete einen Fehler.',
  plan_limit_reached: 'Das Limit deines Tarifs ist erreicht.',
  late_skipped: 'Übersprungen, weil es zu spät war.',
  stopped: 'Du hast es beendet.',
  internal_error: 'Interner Fehler.',
};

const ENGLISH_TROUBLES: Readonly<Record<string, string>> = {
  outcome_unknown: 'Reelay is verifying whether this was posted.',
  platform_limit_reached: 'The platform’s limit is reached.',
  platform_unavailable: 'The platform cannot be used at the moment.',
  internal_error: 'Something went wrong in Reelay.',
};

const GERMAN_TROUBLES: Readonly<Record<string, string>> = {
  outcome_unknown: 'Es wird geprüft, ob der Beitrag veröffentlicht wurde.',
  platform_limit_reached: 'Das Limit der Plattform ist erreicht.',
  platform_unavailable: 'Die Plattform ist zurzeit nicht nutzbar.',
  internal_error: 'In Reelay ist etwas schiefgegangen.',
};

const TEXTS = {
  en: { texts: ENGLISH, causes: ENGLISH_CAUSES, troubles: ENGLISH_TROUBLES, locale: 'en-US' },
  de: { texts: GERMAN, causes: GERMAN_CAUSES, troubles: GERMAN_TROUBLES, locale: 'de-DE' },
} as const satisfies Record<Language, unknown>;

/** What one notification is about, in a few words. Pure. */
export function entrySubject(language: Language, { kind }: Pick<MailedEntry, 'kind'>): string {
  return TEXTS[language].texts[`subject_${kind}`];
}

/** Renders one mail about all entries. Pure. */
export function digestMail(language: Language, { entries, zone, host, settingsUrl, url }: Digest): Mail {
  const { texts } = TEXTS[language];
  const [first] = entries;
  const subject =
    first && entries.length === 1
      ? entrySubject(language, first)
      : renderText(texts.subject_many, { count: entries.length });
  const shown = entries
    .slice(0, MAX_ENTRIES)
    .map((entry) => `${entryLines(language, zone, entry).join('\n')}\n${entry.url}`);
  const hidden = entries.length - shown.length;
  const rest = hidden > 0 ? [renderText(texts.more, { count: hidden, url })] : [];
  const footer = renderText(texts.footer, { host, settings: settingsUrl });
  const text = `${[...shown, ...rest, '-- ', footer].join('\n\n').replace('-- \n\n', '-- \n')}\n`;
  return { language, subject, text, action: texts.action };
}

/**
 * The sentence about one notification, and a line for each affected account. Pure.
 * @param zone IANA time zone of the reader @param maxFailures accounts with a line of their own; the rest is counted
 */
export function entryLines(
  language: Language,
  zone: string,
  entry: MailedEntry,
  maxFailures = MAX_FAILURES,
): [head: string, ...accounts: string[]] {
  const { texts, causes, troubles, locale } = TEXTS[language];
  if ('account' in entry) {
    const moment = entry.moment ? writeMoment(locale, zone, entry.moment.getTime()) : '';
    return [renderText(texts[entry.kind], { account: oneLine(entry.account, MAX_ACCOUNT), moment })];
  }
  const { kind, description, accounts, affected } = entry;
  const post = oneLine(description, MAX_DESCRIPTION) || texts.untitled;
  const head = renderText(texts[accounts === 1 ? (`${kind}_one` as const) : kind], {
    post,
    failed: affected.length,
    accounts,
  });
  const lines = affected.slice(0, maxFailures).map(({ account, code, detail }) =>
    renderText(texts.failure, {
      account: oneLine(account, MAX_ACCOUNT),
      cause: (kind === 'post_trouble' ? troubles[code] : causes[code]) ?? causes.platform_error ?? '',
      detail: oneLine(detail ?? '', MAX_DETAIL),
    }).trimEnd(),
  );
  const hidden = affected.length - lines.length;
  return [head, ...lines, ...(hidden > 0 ? [renderText(texts.more_failures, { count: hidden })] : [])];
}

/** Characters that change the direction of what follows, or are invisible. */
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** One line without control characters; an ellipsis shows that it was cut. */
function oneLine(text: string, limit: number): string {
  const line = cleanText(text, limit * 2).replace(INVISIBLE, '');
  return line.length > limit ? `${cutText(line, limit - 1).trimEnd()}…` : line;
}
