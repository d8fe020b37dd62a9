/** Pages whose texts are replaced all the time, as page translation of browsers does. */
import { openEveryPage, postVideo } from './compose-steps.ts';
import { connectAccounts, expect, type Page, test } from './fixtures.ts';

/** Replaces every text by `font` elements with the same text, whenever the page changes. */
async function translate(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const replaceAll = () => {
      if (!document.body) return;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (!text.data.trim() || /^(?:SCRIPT|STYLE|TEXTAREA|FONT)$/.test(text.parentElement?.tagName ?? '')) continue;
        const font = document.createElement('font');
        font.appendChild(document.createElement('font')).textContent = text.data;
        text.replaceWith(font);
      }
    };
    new MutationObserver(replaceAll).observe(document, { childList: true, subtree: true });
  });
}

test('a translated page composes, posts and opens every page', async ({ page, user }) => {
  await connectAccounts(user);
  await translate(page);
  await page.goto('/app/');
  await postVideo(page, 'Translated');
  await openEveryPage(page);
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
});

test('translated operator pages open, filter and run the checks', async ({ open, operator, user }) => {
  const page = await open({ user: operator });
  await translate(page);
  await page.goto('/app/operator/users');
  await page.getByRole('searchbox').fill(user.email);
  await page.getByRole('button', { name: `Actions: ${user.email}` }).click();
  await page.getByRole('menuitem', { name: 'Audit log' }).click();
  await page.getByRole('button', { name: 'Show all' }).click();
  for (const name of ['Platforms', 'Queue', 'Storage', 'Health check']) {
    const link = page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name, exact: true });
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
  }
  await page.getByRole('button', { name: 'Run checks' }).click();
  await expect(page.getByRole('status').getByText(/No problems found|problems? found/)).toBeVisible();
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
});

test('the translated API reference opens an operation', async ({ page }) => {
  await translate(page);
  await page.goto('/docs');
  await page.getByRole('link', { name: 'Cancel scheduled post' }).first().click();
  await expect(page.getByRole('heading', { name: 'Cancel scheduled post', level: 1 })).toBeVisible();
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
});
