import { describe, expect, test } from 'vitest';
import { cameOverLoopback, isLocalRequest } from '../../src/http/local-request.ts';

const listen = { host: '127.0.0.1', port: 3000, tls: null };
const home = { publicUrl: 'http://localhost:3000', listen };

const request = (headers: Record<string, string> = {}, peer = '127.0.0.1') => {
  const all: Record<string, string> = { host: 'localhost:3000', ...headers };
  return { peer, header: (name: string) => all[name] };
};

describe('a request is local', () => {
  test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('from %s', (peer) => {
    expect(isLocalRequest(home, request({}, peer))).toBe(true);
  });

  test.each(['localhost', 'LocalHost:3000', '127.0.0.1:3000', '[::1]:3000', '[::1]'])('for host %s', (host) => {
    expect(isLocalRequest(home, request({ host }))).toBe(true);
  });
});

describe('a request is not local', () => {
  test.each(['10.0.0.1', '::', 'fe80::1%eth0', '', '::ffff:10.0.0.1'])('from "%s"', (peer) => {
    expect(isLocalRequest(home, request({}, peer))).toBe(false);
  });

  test.each(['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'cf-connecting-ip'])(
    'with the header %s',
    (name) => {
      expect(cameOverLoopback(request({ [name]: '203.0.113.9' }))).toBe(false);
    },
  );

  test.each(['evil.example', 'localhost.evil.example', '', '127.0.0.1.evil.example', 'localhost:80:80'])(
    'for host "%s"',
    (host) => {
      expect(isLocalRequest(home, request({ host }))).toBe(false);
    },
  );

  test.each([
    ['a public address', { ...home, publicUrl: 'https://reelay.example' }],
    ['a public interface', { ...home, listen: { ...listen, host: '0.0.0.0' } }],
  ])('on a service with %s', (_what, config) => {
    expect(isLocalRequest(config, request())).toBe(false);
  });

  test('with a Host header of 1 MiB, detected quickly', () => {
    const started = process.cpuUsage();
    expect(cameOverLoopback(request({ host: ':1'.repeat(524_288) }))).toBe(false);
    expect(process.cpuUsage(started).user).toBeLessThan(200_000);
  });
});
