/** A parser for server-sent events (HTML standard, 9.2.6) with bounded memory. */
import { createLineParser, type LineParser, tooLarge } from './line-parser.ts';

export interface ServerEvent {
  event: string;
  data: string;
}

/** @param maxLength maximum UTF-16 units of one event, its unfinished line included */
export function createEventParser(maxLength: number, onEvent: (event: ServerEvent) => void): LineParser {
  let event = '';
  let data: string[] = [];
  let length = 0;
  const take = (line: string) => {
    if (line === '') {
      if (data.length > 0) onEvent({ event, data: data.join('\n') });
      event = '';
      data = [];
      length = 0;
      return;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field !== 'data') return;
    data.push(value);
    length += value.length + 1;
  };
  return createLineParser(
    () => maxLength - length,
    (line) => {
      take(line);
      if (length > maxLength) throw tooLarge();
    },
  );
}
