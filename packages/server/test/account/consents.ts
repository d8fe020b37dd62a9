/** Simulates a browser that connects an account of the toy platform. */
import { expect } from 'vitest';
import type { ConsentStep } from '../../src/accounts/connect/consent-page.ts';
import type { AccountWorld } from './world.ts';

export type Request = Partial<Parameters<AccountWorld['accounts']['startConnect']>[0]>;

/**
 * @param world called when needed, because tests create it late
 * @param userId called when needed
 */
export function consentsIn(world: () => AccountWorld, userId: () => string) {
  /** Returns the URL that a user gets. Default: sandbox, with the choice made. */
  async function ticketFor(request: Request = {}): Promise<string> {
    const { url } = await world().accounts.startConnect({
      userId: userId(),
      platform: 'toy',
      sandbox: true,
      actor: 'session',
      choices: { audience: 'ALL' },
      ...request,
    });
    expect(url).toMatch(/^http:\/\/localhost:3000\/oauth\/toy\/start\?ticket=[\w-]{43}$/);
    return new URL(url ?? '').searchParams.get('ticket') ?? '';
  }

  /**
   * Confirms the consent.
   * @param signedIn default: the user
   */
  function start(
    ticket: string,
    browser: string | null = null,
    signedIn: string | null = userId(),
  ): Promise<ConsentStep> {
    return world().accounts.startConsent({ platform: 'toy', ticket, browser, signedIn });
  }

  /** Starts a consent and follows it to the platform's callback. */
  async function consent(request: Request = {}) {
    const step = await start(await ticketFor(request), null, request.userId);
    if (step.then !== 'redirect') throw new Error(`No redirect: ${JSON.stringify(step)}`);
    return { browser: step.browser, query: await responseOf(step.url) };
  }

  async function responseOf(url: string): Promise<URLSearchParams> {
    const response = await fetch(url, { redirect: 'manual' });
    const back = new URL(response.headers.get('location') ?? '');
    expect(`${back.origin}${back.pathname}`).toBe('http://localhost:3000/oauth/toy/callback');
    return back.searchParams;
  }

  const finish = (query: URLSearchParams, browser: string | null) =>
    world().accounts.finishConsent({ platform: 'toy', query, browser });

  const choose = (
    token: string,
    remoteIds: readonly string[],
    browser: string | null,
    choices: Record<string, Record<string, string>> = {},
  ) => world().accounts.finishChoice({ platform: 'toy', token, remoteIds, choices, browser });

  /** Finishes the consent. If there is a choice, selects all accounts and sets nothing else. */
  async function finishAll(query: URLSearchParams, browser: string | null): Promise<ConsentStep> {
    const step = await finish(query, browser);
    if (step.then !== 'choose') return step;
    return choose(
      step.token,
      step.accounts.map((account) => account.remoteId),
      browser,
    );
  }

  return { ticketFor, start, consent, responseOf, finish, choose, finishAll };
}
