import { type Formats, formatsOf } from '../formats.ts';

export const formats: Formats = formatsOf('de-DE', 'Byte');
