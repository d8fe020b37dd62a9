import { type Formats, formatsOf } from '../formats.ts';

const TIME = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

export const formats: Formats = formatsOf('de-DE', { byte: 'Byte', time: (ms) => `${TIME.format(ms)} UTC` });
