import { expect, test } from 'vitest';
import { fieldsOf, filledIn, valueIn } from '../src/ui/connect/connect-fields.ts';

const title = { en: 'App password', de: 'App-Passwort' };
const field = {
  name: 'secret',
  label: title.en,
  title,
  hint: null,
  required: true,
  secret: true,
  values: null,
} as const;

test('the fields for an immediate connection are preferred', () => {
  expect(fieldsOf({ login: [field], consent: [] })).toEqual([field]);
  expect(fieldsOf({ login: null, consent: [field] })).toEqual([field]);
  expect(fieldsOf({ login: null, consent: null })).toEqual([]);
});

const login = (...values: string[]) =>
  ({ ...field, name: 'login', values: values.map((value) => ({ value, label: value, title })) }) as const;

test('a field with one value is not asked', () => {
  expect(fieldsOf({ login: null, consent: [login('facebook')] })).toEqual([]);
  expect(fieldsOf({ login: null, consent: [login('instagram', 'facebook')] })).toHaveLength(1);
});

test('the first of several values is the default', () => {
  expect(valueIn(login('instagram', 'facebook'), {})).toBe('instagram');
  expect(valueIn(login('instagram', 'facebook'), { login: 'facebook' })).toBe('facebook');
  expect(filledIn([login('instagram', 'facebook')], {})).toEqual({ login: 'instagram' });
});

test('empty fields are not sent', () => {
  const fields = [{ ...field, name: 'service' } as const, { ...field, name: 'identifier' } as const, field];
  expect(filledIn(fields, { service: ' ', identifier: 'nora' })).toEqual({ identifier: 'nora' });
});
