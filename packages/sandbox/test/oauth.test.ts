import { describe, expect, test } from 'vitest';
import { isRedirect } from '../src/oauth/consent.ts';

describe('redirect URIs', () => {
  test.each([
    ['https://app.example/callback', true],
    ['http://127.0.0.1:4000/callback', true],
    ['http://localhost/callback', true],
    ['http://app.example/callback', false],
    ['ftp://localhost/callback', false],
    ['https://app.example/callback#part', false],
    ['https://app.example/callback#', false],
    ['callback', false],
  ])('%s', (uri, valid) => {
    expect(isRedirect(uri)).toBe(valid);
  });
});
