/** Browsers that store nothing, extensions that change pages, and texts of all kinds. */
import { accountCard, openEveryPage, postVideo } from './compose-steps.ts';
import { connectAccounts, expect, type Locator, type Page, test } from './fixtures.ts';

/** Reading any storage throws, as with blocked site data. */
async function blockStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
  });
}

/** An extension that marks fields, puts its sign next to them, and fills them. */
async function addExtension(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const mark = () => {
      for (const field of document.querySelectorAll('input, textarea')) {
        if (field.hasAttribute('data-extension')) continue;
        field.setAttribute('data-extension', 'true');
        field.setAttribute('style', 'background: lightyellow');
        field.after(document.createElement('extension-sign'));
      }
    };
    new MutationObserver(mark).observe(document, { childList: true, subtree: true });
  });
}

/** Pastes as a user does. Chromium takes seconds for `fill` with 1,000 lines, because it inserts them one by one. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.evaluate((_, copied) => {
    const source = document.body.appendChild(document.createElement('textarea'));
    source.value = copied;
    source.select();
    document.execCommand('copy');
    source.remove();
  }, text);
  await field.press('ControlOrMeta+V');
  await expect(field).toHaveValue(text);
}

test.describe('a browser that stores nothing', () => {
  test.beforeEach(({ page }) => blockStorage(page));

  test('composes and posts', async ({ page, user }) => {
    await connectAccounts(user);
    await page.goto('/app/');
    await postVideo(page, 'Nothing is kept');
    await openEveryPage(page);
  });
});

test('an extension beside fields disturbs no post', async ({ page, user }) => {
  await connectAccounts(user);
  await addExtension(page);
  await page.goto('/app/');
  await postVideo(page, 'Filled by others');
  await page.getByRole('link', { name: 'Compose', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a pasted chapter is refused and can be deleted', async ({ page, user }) => {
  await connectAccounts(user);
  await page.goto('/app/');
  await accountCard(page, 'Mastodon').check();
  const field = page.getByLabel('Description');
  await paste(field, 'It was a dark and stormy night.\n'.repeat(1_000));
  await expect(page.getByText(/characters. The maximum is 5,000/)).toBeVisible();
  await field.fill('');
  await expect(page.getByText(/characters. The maximum is 5,000/)).toHaveCount(0);
});
