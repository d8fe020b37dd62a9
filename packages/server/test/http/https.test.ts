import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';
import { selfSigned } from './self-signed.ts';

let service: TestService;
afterEach(() => service.close());

const https = { publicUrl: 'https://reelay.example', httpsOnly: true };

test('an https service rejects plain requests except health checks', async () => {
  service = await startService({ config: { ...https, trustProxy: ['loopback'] } });
  const user = await service.newUser();
  const secure = { 'x-forwarded-proto': 'https' };
  expect((await user.call('GET', '/reposts', { headers: secure })).status).toBe(200);
  for (const headers of [{}, { 'x-forwarded-proto': 'http' }] as Record<string, string>[])
    expect(await user.call('GET', '/reposts', { headers })).toMatchObject({
      status: 403,
      body: { success: false, code: 'https_required' },
    });
  expect((await service.client.get('//')).status).toBe(403);
  for (const path of ['/reposts', '//', '//docs', '//v/none', '//health/live', '//sandbox', '//api/auth/get-session']) {
    const { headers } = await user.call('GET', path, { headers: secure });
    expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
  }
  expect((await service.client.post('//api/auth/sign-in/email', {})).status).toBe(403);
  expect((await service.client.get('//health/ready')).status).toBe(200);
});

test('headers of an untrusted proxy are ignored', async () => {
  service = await startService({ config: { ...https, trustProxy: ['192.0.2.1'] } });
  const user = await service.newUser();
  const { status, body } = await user.call('GET', '/reposts', { headers: { 'x-forwarded-proto': 'https' } });
  expect(status).toBe(403);
  expect(body.code).toBe('https_required');
});

test('the service serves TLS if it has a certificate', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reelay-tls-'));
  try {
    const { cert, key } = selfSigned();
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(certFile, cert);
    await writeFile(keyFile, key);
    service = await startService({
      config: { ...https, listen: { host: '127.0.0.1', port: 0, tls: { certFile, keyFile } } },
    });
    const { port } = new URL(service.url);
    const status = await new Promise((resolve, reject) => {
      const address = `https://127.0.0.1:${port}/api/v1/openapi.json`;
      get(address, { ca: cert }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
    expect(status).toBe(200);
    const outdated = connect({
      port: Number(port),
      host: '127.0.0.1',
      ca: cert,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const [error] = (await once(outdated, 'error')) as [Error & { code?: string }];
    expect(error.code).toMatch(/ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
