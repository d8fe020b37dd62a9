import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkApplications } from '../../src/accounts/apps/platform-setup.ts';
import type { App } from '../../src/connectors/contract.ts';
import { probeApp } from '../../src/connectors/kit/app-check.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, type HttpResponse, type ManagedHttp, NetworkError } from '../../src/outbound/http-client.ts';
import { allConnectors } from '../harness/connectors.ts';
import { type RunningSimulator, startSimulator } from '../harness/simulator.ts';

const APP: App = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
const checked = (await allConnectors()).filter(({ connector }) => connector.oauth?.checkApp);

test('every platform with applications of the operator can verify them', async () => {
  const needing = (await allConnectors()).filter(({ connector }) => connector.oauth?.needsApp);
  expect(checked.map(({ connector }) => connector.id)).toEqual(needing.map(({ connector }) => connector.id));
});

describe.each(checked)('$connector.name', ({ connector, module }) => {
  let simulator: RunningSimulator;
  let client: ManagedHttp;
  beforeAll(async () => {
    simulator = await startSimulator(module, { wire: true });
    client = createHttp({ guard: createAddressGuard([], [new URL(simulator.url).origin]) });
  });
  afterAll(async () => {
    client.close();
    await simulator.close();
  });
  const verdicts = async (app: App | null) => {
    const found = await checkApplications(connector, {
      apps: { find: () => app },
      http: client.request,
      endpoints: module.endpoints(simulator.url),
    });
    return Object.values(found);
  };

  test.each<[string, Partial<App>, string]>([
    ['verifies the right id and secret', {}, 'verified'],
    ['rejects a wrong secret', { clientSecret: 'no secret' }, 'rejected'],
    ['rejects an unknown id', { clientId: '0000' }, 'rejected'],
  ])('%s', async (_, given, verdict) => {
    const app = { ...APP, ...given };
    const found = await verdicts(app);
    expect(new Set(found.map((each) => each.verdict))).toEqual(new Set([verdict]));
    for (const { message } of found) expect(message.text).not.toContain(app.clientSecret);
  });

  test('checks only configured applications', async () => {
    expect(await verdicts(null)).toEqual([]);
  });
});

describe('a check of an application', () => {
  const response = (status: number, body: unknown): HttpResponse => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const json = () => (typeof body === 'string' ? null : (body as ReturnType<HttpResponse['tryJson']>));
    return { status, headers: {}, text, json, tryJson: json };
  };
  const probe = { rejected: ['invalid_client'], accepted: ['invalid_grant'] };
  const outcome = (...answers: HttpResponse[]) =>
    probeApp('Toy', probe, APP, async () => answers.shift() ?? response(500, ''));

  test.each<[string, HttpResponse[]]>([
    [
      'the error is the same for a wrong secret',
      [response(400, { error: 'invalid_grant' }), response(400, { error: 'invalid_grant' })],
    ],
    [
      'the wrong secret gets an unknown error',
      [response(400, { error: 'invalid_grant' }), response(429, { error: 'slow_down' })],
    ],
    ['the error is unknown', [response(400, { error: 'invalid_request', error_description: 'What is this?' })]],
    ['a gateway responds', [response(502, '<html>Bad gateway</html>')]],
    ['a success has no token', [response(200, { token_type: 'bearer' })]],
    ['a failure has a token', [response(400, { access_token: 'a' })]],
  ])('is unverified if %s', async (_, answers) => {
    expect(await outcome(...answers)).toMatchObject({ verdict: 'unverified' });
  });

  test('shows the words of the platform without the secret', async () => {
    const words = `The secret sandbox-secret (${Buffer.from('sandbox-client:sandbox-secret').toString('base64')}) is wrong`;
    const { message } = await outcome(response(401, { error: 'invalid_client', error_description: words }));
    expect(message.text).toBe('Toy rejects the id or the secret: The secret … (…) is wrong · invalid_client');
    const unknown = await outcome(response(503, ''));
    expect(unknown.message.text).toBe('Toy does not confirm the id and the secret: HTTP 503');
  });

  test('shortens long words and removes control characters', async () => {
    const words = `No.\u0000\u001b[31m ${'word '.repeat(20_000)}`;
    for (const body of [{ error: 'odd', error_description: words }, { error: words }, words]) {
      const { verdict, message } = await outcome(response(400, body));
      expect([verdict, message.text.length < 300]).toEqual(['unverified', true]);
      expect(message.text).not.toMatch(/\p{Cc}/u);
    }
  });

  test('is unverified if the platform cannot be reached', async () => {
    const result = await probeApp('Toy', probe, APP, () => Promise.reject(new NetworkError('refused', 'no')));
    expect(result).toMatchObject({ verdict: 'unverified', message: { text: 'Toy could not be reached (refused).' } });
  });

  test('sends another secret in the second request only', async () => {
    const sent: App[] = [];
    const answers = [response(400, { error: 'invalid_grant' }), response(401, { error: 'invalid_client' })];
    const { verdict } = await probeApp('Toy', probe, APP, async (app) => {
      sent.push(app);
      return answers[sent.length - 1] ?? response(500, '');
    });
    expect([verdict, sent[0]]).toEqual(['verified', APP]);
    expect(sent[1]).toMatchObject({
      clientId: APP.clientId,
      clientSecret: expect.not.stringMatching('sandbox-secret'),
    });
  });
});
