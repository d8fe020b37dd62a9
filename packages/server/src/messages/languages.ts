/** The languages that the service speaks. English is part of the process; others are loaded on first use. */
import { CHANNEL_TEXTS } from './channels.ts';
import { CHECK_MESSAGES } from './checks.ts';
import { CONNECT_TEXTS } from './connect.ts';
import { FINDING_TEXTS } from './doctor.ts';
import { LIMIT_UNITS, SOURCE_TEXTS } from './error-parts.ts';
import { ERROR_TEXTS, PROBLEM_TEXTS } from './error-texts.ts';
import { FIELD_PROBLEMS } from './fields.ts';
import { ENGLISH, type Formats } from './formats.ts';
import { FLAW_TEXTS, LIMIT_TEXTS, OTHER_TEXTS } from './media.ts';
import { createMessageRenderer, type MessageRenderer, type MessageTable } from './message.ts';
import { PAGE_TEXTS, REFUSAL_TEXTS } from './pages.ts';
import { RULE_MESSAGES } from './rules.ts';
import { SIGN_IN_MESSAGES, SIGN_UP_MESSAGES } from './sign-in.ts';
import { joinTables, type Tables } from './tables.ts';
import { TIMELINE_MESSAGES } from './timeline.ts';
import { WATCHING_MESSAGES } from './watching.ts';

export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Languages other than English. */
export type Translated = Exclude<Language, 'en'>;

/** Loads a platform's messages in other languages, by their stored codes. */
export type Translations = Readonly<Record<Translated, () => Promise<MessageTable>>>;

/** What the texts of a response are rendered with. */
export interface Texts {
  language: Language;
  /** Writes times in UTC. */
  render: MessageRenderer;
  /** The same renderer with times in a zone. @param zone IANA name */
  renderIn(zone: string): MessageRenderer;
}

/** A platform whose messages are included. */
interface Platform {
  messages?: MessageTable;
  translations?: Translations;
}

export interface Languages {
  english: Texts;
  /** Loads the language on first use. */
  texts(language: Language): Promise<Texts>;
}

/** How the service speaks. What is stored has no language. */
export interface Speech {
  languages: Languages;
  /** Language of `renderMessage`: of the caller while a request is handled, otherwise English. */
  language: Language;
  /** Writes times in the caller's zone while a request is handled, otherwise in UTC. */
  renderMessage: MessageRenderer;
  /** As `renderMessage`, with times in another zone. @param zone IANA name */
  renderIn(zone: string): MessageRenderer;
}

const ENGLISH_TABLES: Tables = {
  timeline: TIMELINE_MESSAGES,
  media: OTHER_TEXTS,
  rules: RULE_MESSAGES,
  watching: WATCHING_MESSAGES,
  limits: LIMIT_TEXTS,
  flaws: FLAW_TEXTS,
  errors: ERROR_TEXTS,
  problems: PROBLEM_TEXTS,
  fields: FIELD_PROBLEMS,
  units: LIMIT_UNITS,
  sources: SOURCE_TEXTS,
  signUp: SIGN_UP_MESSAGES,
  signIn: SIGN_IN_MESSAGES,
  checks: CHECK_MESSAGES,
  connect: CONNECT_TEXTS,
  pages: PAGE_TEXTS,
  refusals: REFUSAL_TEXTS,
  doctor: FINDING_TEXTS,
  channels: CHANNEL_TEXTS,
};

/** Every English text by its code. */
export function englishTable(platforms: Readonly<Record<string, Platform>>): MessageTable {
  return joinTables(
    ENGLISH_TABLES,
    Object.values(platforms).map(({ messages }) => messages ?? {}),
  );
}

/** Every German text by its code. Loads the tables. */
export async function germanTable(platforms: Readonly<Record<string, Platform>>): Promise<MessageTable> {
  const { GERMAN_TABLES } = await import('./de/index.ts');
  const own = Object.values(platforms).map(({ translations }) => translations?.de() ?? {});
  return joinTables(GERMAN_TABLES, await Promise.all(own));
}

export function createLanguages(platforms: Readonly<Record<string, Platform>>): Languages {
  const english = textsOf('en', englishTable(platforms), ENGLISH);
  let german: Promise<Texts> | null = null;
  const load = async (): Promise<Texts> => {
    const [{ formats }, table] = await Promise.all([import('./de/formats.ts'), germanTable(platforms)]);
    return textsOf('de', table, formats);
  };
  return {
    english,
    async texts(language) {
      if (language === 'en') return english;
      german ??= load();
      return german.catch((error: unknown) => {
        german = null;
        throw error;
      });
    },
  };
}

function textsOf(language: Language, table: MessageTable, formats: Formats): Texts {
  const render = createMessageRenderer(table, formats);
  const renderIn = (zone: string) => {
    const local = formats.inZone(zone);
    return local === formats ? render : createMessageRenderer(table, local);
  };
  return { language, render, renderIn };
}

/** English, until the language of a caller is known. */
export function createSpeech(platforms: Readonly<Record<string, Platform>>): Speech {
  const languages = createLanguages(platforms);
  const { language, render, renderIn } = languages.english;
  return { languages, language, renderMessage: render, renderIn };
}

/**
 * The first accepted language that the service speaks, otherwise English.
 * @param header `Accept-Language` (RFC 9110, 12.5.4)
 */
export function acceptedLanguage(header: string | undefined): Language {
  const ranges = (header ?? '')
    .slice(0, MAX_HEADER)
    .split(',')
    .map((range) => {
      const [tag = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = params.find((param) => param.startsWith('q='))?.slice(2) ?? '1';
      return { language: tag.split('-', 1)[0], quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  const tags = ranges.map(({ language }) => language);
  return (tags.find((tag) => LANGUAGES.some((each) => each === tag)) as Language | undefined) ?? 'en';
}

/** More of the header is ignored. */
const MAX_HEADER = 500;
