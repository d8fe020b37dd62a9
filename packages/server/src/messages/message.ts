/**
 * Messages for users: a code and parameters, which are stored, and the English text, which is rendered from a table.
 * Texts in other languages are rendered from the same codes and parameters: see `languages.ts`.
 */
import { ENGLISH, type Formats } from './formats.ts';

/** What is stored and returned by the API. */
export interface MessageRef {
  /** Stable. `timed_out`, or `PLATFORM.code` for a message that only one platform uses. */
  code: string;
  params: MessageParams;
}

/**
 * Values of the placeholders, by name. The end of the name selects the form: `…Ms` is a duration, `…Bytes` a size, `…At`
 * a time in ms since the epoch. All other numbers are grouped by thousands.
 */
export type MessageParams = Readonly<Record<string, MessageParam>>;
export type MessageParam = string | number | MessageRef | readonly MessageRef[];

export interface Message extends MessageRef {
  /** The message in English. */
  text: string;
}

/**
 * Texts by code. `{name}` is a placeholder, and `{name|entry|entries}` the form of a noun that the number selects. A code is
 * never removed, because timelines refer to it.
 */
export type MessageTable = Readonly<Record<string, string>>;

/** The names of the placeholders in a text. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Inner}}${infer Rest}`
  ? NameIn<Inner> | Placeholders<Rest>
  : never;

type NameIn<Inner extends string> = Inner extends `${infer Name}|${string}` ? Name : Inner;

type ParamsOf<Text extends string, Given extends string> = [Exclude<Placeholders<Text>, Given>] extends [never]
  ? []
  : [params: Readonly<Record<Exclude<Placeholders<Text>, Given>, MessageParam>>];

/** Creates a message from its code and the parameters that its text needs. */
export type MessageFactory<Table extends MessageTable, Given extends string = never> = <
  Code extends keyof Table & string,
>(
  code: Code,
  ...params: ParamsOf<Table[Code], Given>
) => Message;

/**
 * Returns the factory of a table.
 * @param given parameters that every message of the table may use
 * @param prefix of the codes. Only the messages of timelines have none.
 */
export function messagesOf<const Table extends MessageTable, Given extends string = never>(
  table: Table,
  given: Readonly<Record<Given, string>> = {} as Record<Given, string>,
  prefix = '',
): MessageFactory<Table, Given> {
  return (code, ...[params]) => {
    const template: string = table[code] ?? code;
    const all: MessageParams = { ...pick(given, template), ...params };
    return { code: prefix + code, params: all, text: renderText(template, all) };
  };
}

/** Renders messages in one language. */
export type MessageRenderer = (message: MessageRef) => string;

/** @param table all texts by code. A code without a text, as after a downgrade, is rendered as itself. */
export function createMessageRenderer(table: MessageTable, formats: Formats = ENGLISH): MessageRenderer {
  const render: MessageRenderer = (message) => {
    const template = Object.hasOwn(table, message.code) ? table[message.code] : undefined;
    return template === undefined ? textOf(message) : renderText(template, message.params, render, formats);
  };
  return render;
}

/** Replaces the placeholders of a text. Inserted values are not parsed, so they cannot contain placeholders. */
export function renderText(
  template: string,
  params: MessageParams,
  render: MessageRenderer = textOf,
  formats: Formats = ENGLISH,
): string {
  return template.replace(PLACEHOLDER, (_, name: string, one?: string, other?: string) => {
    const value = params[name];
    if (one !== undefined) return (typeof value === 'number' && formats.plural(value) === 'one' ? one : other) ?? '';
    return value === undefined ? '' : renderParam(name, value, render, formats);
  });
}

const PLACEHOLDER = /\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g;

function renderParam(name: string, value: MessageParam, render: MessageRenderer, formats: Formats): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number')
    return Array.isArray(value) ? value.map(render).join(' ') : render(value as MessageRef);
  if (name.endsWith('Ms')) return formats.duration(value);
  if (name.endsWith('Bytes')) return formats.size(value);
  if (name.endsWith('At')) return formats.time(value);
  return formats.number(value);
}

/** Messages inside parameters carry their text until they are stored. */
function textOf(message: MessageRef): string {
  return 'text' in message && typeof message.text === 'string' ? message.text : message.code;
}

/** Takes the parameters that a text uses. */
function pick(given: Readonly<Record<string, string>>, template: string): MessageParams {
  return Object.fromEntries(Object.entries(given).filter(([name]) => template.includes(`{${name}}`)));
}
