import { simulator as pinterest } from '@reelay/sandbox/platforms/pinterest/index.ts';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningSimulator, startSimulator } from '../../../../packages/server/test/harness/simulator.ts';
import { type E2eWorld, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';

/** As the page `/sandbox/credentials` shows it. */
const APP = { id: 'sandbox-client', secret: 'sandbox-secret' };

describe.each(SCREENS)('on a %s', (name, screen) => {
  let simulator: RunningSimulator;
  let world: E2eWorld;
  /** Of the first user, who is the operator. */
  let page: Page;
  beforeAll(async () => {
    simulator = await startSimulator(pinterest);
    world = await startE2eWorld({
      rateLimit: 'off',
      operatorContact: 'help@example.org',
      allowedPrivateHosts: [new URL(simulator.url).host],
      settings: { pinterest: { apiUrl: simulator.url, wwwUrl: simulator.url } },
    });
    page = await world.open({ ...screen, user: true });
    await page.goto(`${world.service.url}/app/accounts`);
  });
  afterEach(() => world.showFailure());
  afterAll(async () => {
    await world.close();
    await simulator.close();
  });

  const tile = (on: Page) => on.getByRole('button', { name: /^Pinterest/ });
  const panel = () => page.getByRole('dialog', { name: 'Set up Pinterest' });
  const fill = async (secret: string) => {
    await panel().getByLabel('App ID').fill(APP.id);
    await panel().getByRole('textbox', { name: 'App secret key' }).fill(secret);
  };

  test('other users see whom to ask', async () => {
    const other = await world.open({ ...screen, user: true });
    await other.goto(`${world.service.url}/app/accounts`);
    await tile(other).click();
    await other.getByRole('dialog').getByText('Pinterest is not set up').waitFor();
    const contact = other.getByRole('link', { name: 'help@example.org' });
    expect(await contact.getAttribute('href')).toMatch(/^mailto:help@example\.org\?subject=/);
    expect(await seriousProblems(other)).toEqual([]);
    await shoot(other, `ask-${name}`);
    await other.goto(`${world.service.url}/app/accounts?setup=pinterest`);
    await other.getByRole('heading', { name: 'Connect an account' }).waitFor();
    expect(await other.getByRole('dialog').count()).toBe(0);
  });

  test('the operator is shown what to register', async () => {
    await shoot(page, `accounts-${name}`);
    await tile(page).click();
    const { publicUrl } = world.service.context.config;
    expect(await panel().getByLabel('Redirect URL', { exact: true }).inputValue()).toBe(
      `${publicUrl}/oauth/pinterest/callback`,
    );
    expect(await panel().getByLabel('Scopes', { exact: true }).inputValue()).toContain('pins:write');
    expect(
      await panel()
        .getByRole('link', { name: /developer console/ })
        .getAttribute('href'),
    ).toMatch(/^https:/);
    await panel().getByText('Not set up').waitFor();
    const secret = panel().getByRole('textbox', { name: 'App secret key' });
    expect(await secret.getAttribute('type')).toBe('password');
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `setup-${name}`);
  });

  test('a wrong secret is explained and not stored', async () => {
    await fill('another secret');
    await panel().getByRole('button', { name: 'Save and test' }).click();
    await panel().getByText('Not saved: the id or the secret is wrong').waitFor();
    await panel()
      .getByText(/^Pinterest rejects the id or the secret/)
      .waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `rejected-${name}`);
    await page.keyboard.press('Escape');
    await page.getByText('Discard your changes?').waitFor();
    await page.getByRole('button', { name: 'Keep' }).click();
    await panel().getByText('Not set up').waitFor();
  });

  test('the right secret is stored, tested and never shown', async () => {
    await fill(APP.secret);
    await panel().getByRole('button', { name: 'Save and test' }).click();
    await panel().getByText('Saved, and it works').waitFor();
    expect(await panel().getByRole('textbox', { name: 'App secret key' }).inputValue()).toBe('');
    await panel().getByRole('button', { name: 'Test what is set' }).click();
    await panel().getByText('It works', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(APP.secret);
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'hidden' });
    expect(world.problems).toEqual([]);
  });

  const notice = () => page.getByRole('main').getByRole('status');
  /** From the tile, or from "Try again", to the platform's own page. */
  const consent = async () => {
    await page.getByRole('button', { name: 'Continue to Pinterest' }).click();
    await page.getByRole('button', { name: 'Deny' }).waitFor();
  };
  const back = () => page.getByRole('link', { name: 'To your accounts in Reelay' }).click();

  test('a denied consent is explained and tried again', async () => {
    await tile(page).click();
    await consent();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Nothing was connected' }).waitFor();
    await back();
    await notice().getByText('Pinterest was not connected').waitFor();
    await notice()
      .getByText(/Access was denied/)
      .waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `denied-${name}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await back();
    await notice().getByText('Pinterest was not connected').waitFor();
  });

  test('an unfinished attempt is shown until it expires', async () => {
    await page.getByRole('button', { name: 'Try again' }).click();
    await consent();
    const address = page.url();
    await page.goto(`${world.service.url}/app/accounts`);
    await notice().getByText('Connecting Pinterest is not finished').waitFor();
    await page.goto(address);
    await world.service.db.clock.advance(11 * 60_000);
    await page.getByRole('textbox').fill('nora');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'The sign-in timed out' }).waitFor();
    await back();
    await notice().getByText('Connecting Pinterest took too long').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('an allowed consent connects the account', async () => {
    await page.getByRole('button', { name: 'Try again' }).click();
    await consent();
    await page.getByRole('textbox').fill('nora');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('combobox').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Connect' }).click();
    await back();
    await notice().getByText('Pinterest is connected').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('1 connected account').waitFor();
    expect(await notice().count()).toBe(0);
  });

  test('details show access and settings, which can be changed', async () => {
    await page
      .getByRole('article', { name: /^Pinterest:/ })
      .getByRole('button', { name: 'Details' })
      .click();
    const details = page.getByRole('dialog', { name: 'Details' });
    await details.getByText(/Reelay renews it automatically/).waitFor();
    await details.getByText(/^Last checked/).waitFor();
    await details.getByRole('button', { name: 'Check now' }).click();
    await details.getByText('Name, picture, limits and settings are up to date.').waitFor();
    const board = details.getByRole('combobox', { name: 'Board' });
    const before = await board.inputValue();
    await board.click();
    await page.getByRole('option', { selected: false }).last().click();
    expect(await board.inputValue()).not.toBe(before);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `details-${name}`);
    await page.keyboard.press('Escape');
    await page.getByText('Discard your changes?').waitFor();
    await page.getByRole('button', { name: 'Keep' }).click();
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByText('Saved.').waitFor();
    const chosen = await board.inputValue();
    await page.reload();
    expect(await board.inputValue()).toBe(chosen);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'hidden' });
  });

  test('removing the application says what stops working', async () => {
    await page.getByRole('link', { name: 'Set up platforms' }).click();
    await page.getByRole('button', { name: 'Test all' }).click();
    await page.getByText('Works', { exact: true }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `platforms-${name}`);
    await page.getByRole('link', { name: 'Change: Pinterest' }).click();
    await panel().getByRole('button', { name: 'Remove application' }).click();
    await page.getByText(/1 connected account is affected/).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `remove-${name}`);
    await page
      .getByRole('dialog', { name: /^Remove the application/ })
      .getByRole('button', { name: 'Remove' })
      .click();
    await panel().getByText('Not set up').waitFor();
    expect(world.problems).toEqual([]);
  });
});
