import { expect, test } from 'vitest';
import { fieldsOf, filledIn } from '../src/ui/connect/connect-fields.ts';

const title = { en: 'App password', de: 'App-Passwort' };
const field = { name: 'secret', label: title.en, title, required: true, secret: true, values: null } as const;

test('the fields for an immediate connection are preferred', () => {
  expect(fieldsOf({ login: [field], consent: [] })).toEqual([field]);
  expect(fieldsOf({ login: null, consent: [field] })).toEqual([field]);
  expect(fieldsOf({ login: null, consent: null })).toEqual([]);
});

test('empty fields are not sent', () => {
  expect(filledIn({ service: ' ', identifier: 'nora' })).toEqual({ identifier: 'nora' });
});
