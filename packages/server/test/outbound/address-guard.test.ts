import type { LookupAddress } from 'node:dns';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddressGuard, guardedLookup, isPrivateAddress } from '../../src/outbound/address-guard.ts';

describe('IP address', () => {
  test.each([
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.1.2.3',
    '::FFFF:192.168.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '100:0:0:1::1',
    '5f00::1',
    '1fff:ffff::1',
    '4000::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%lo',
    'febf::1',
    'fec0::1',
    'ff02::1',
  ])('%s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '223.255.255.255',
    '::ffff:1.1.1.1',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
  ])('%s is public', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });

  test('has the same class in IPv4-mapped form', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPrivateAddress(`::ffff:${address}`)).toBe(isPrivateAddress(address));
      }),
    );
  });

  test('of any form is classified without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        expect(typeof isPrivateAddress(address)).toBe('boolean');
      }),
    );
  });
});

describe('address guard', () => {
  const guard = createAddressGuard(['proxy.local:8443', 'intranet'], ['http://127.0.0.1:3000']);
  const refuse = (url: string) => guard.refuse(new URL(url));

  test.each([
    ['http://mastodon.example/', 'not_https'],
    ['http://127.0.0.1:3001/', 'not_https'],
    ['https://127.0.0.1/', 'private_address'],
    ['https://2130706433/', 'private_address'],
    ['https://0x7f.1/', 'private_address'],
    ['https://0177.0.0.1/', 'private_address'],
    ['https://169.254.169.254/latest/meta-data', 'private_address'],
    ['https://[::1]/', 'private_address'],
    ['https://[::ffff:127.0.0.1]/', 'private_address'],
    ['https://[::ffff:7f00:1]/', 'private_address'],
    ['https://[fd00::1]:8443/', 'private_address'],
    ['https://proxy.local/', null],
    ['https://1.1.1.1/', null],
    ['https://mastodon.example/', null],
    ['https://mastodon.example:8443/', null],
  ])('checks %s: %s', (url, reason) => {
    expect(refuse(url)).toBe(reason);
  });

  test('allows named hosts and our origin, but no lookalikes', () => {
    expect(refuse('http://127.0.0.1:3000/sandbox/x')).toBeNull();
    expect(refuse('http://intranet/')).toBeNull();
    expect(refuse('http://proxy.local:8443/')).toBeNull();
    for (const url of [
      'http://intranet.evil.example/',
      'http://evil-intranet/',
      'http://proxy.local:8444/',
      'http://127.0.0.1:30000/',
      'http://127.0.0.1:3000@evil.example/',
    ])
      expect(refuse(url)).toBe('not_https');
    expect(refuse('https://127.0.0.1:3000/')).toBe('private_address');
  });

  test('checks the resolved address, not the name', () => {
    const url = new URL('https://localhost/');
    expect(guard.refuse(url)).toBeNull();
    expect(guard.allows(url, '127.0.0.1')).toBe(false);
    expect(guard.allows(new URL('http://intranet/'), '10.0.0.7')).toBe(true);
  });
});

describe('guarded DNS lookup', () => {
  type Found = { error: NodeJS.ErrnoException | null; address: string | LookupAddress[] };
  const lookup = (name: string, allows: (address: string) => boolean, all: boolean) =>
    new Promise<Found>((resolve) => {
      const guard = { refuse: () => null, allows: (_url: URL, address: string) => allows(address) };
      guardedLookup(guard, new URL(`https://${name}/`))(name, { all }, (error, address) => resolve({ error, address }));
    });

  test('fails for a name with private addresses', async () => {
    for (const all of [true, false])
      expect((await lookup('localhost', (address) => !isPrivateAddress(address), all)).error).toMatchObject({
        code: 'PRIVATE_ADDRESS',
      });
  });

  test('returns only the allowed addresses', async () => {
    const { error, address } = await lookup('localhost', (each) => each === '127.0.0.1', true);
    expect(error).toBeNull();
    expect(address).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect((await lookup('localhost', (each) => each === '127.0.0.1', false)).address).toBe('127.0.0.1');
  });

  test('reports an unknown name', async () => {
    expect((await lookup('nobody.invalid', () => true, true)).error?.code).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });
});

describe('port', () => {
  const guard = createAddressGuard(['listed.example', 'listed.example:25'], ['http://127.0.0.1:6000']);

  test.each([
    'https://social.example:25',
    'https://social.example:22/path',
    'https://1.1.1.1:587',
    'http://listed.example:143',
  ])('%s belongs to another service', (url) => {
    expect(guard.refuse(new URL(url))).toBe('port');
  });

  test.each([
    'https://social.example',
    'https://social.example:443',
    'https://social.example:8443',
    'https://social.example:3000',
    'http://listed.example:80',
    'https://listed.example:25',
    'http://127.0.0.1:6000/sandbox',
  ])('%s is allowed', (url) => {
    expect(guard.refuse(new URL(url))).toBeNull();
  });
});
