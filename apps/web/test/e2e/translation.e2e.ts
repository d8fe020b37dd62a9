/** Pages whose texts are replaced all the time, as page translation of browsers does. */
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { postNow, writePost } from './compose-steps.ts';
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
  await writePost(page, { video: await makeVideo(), description: 'Translated' });
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible();
  await postNow(page);
  await expect(page).toHaveURL(/\/app\/posts\/[0-9a-f-]+$/);
  for (const name of ['Posts', 'Calendar', 'Reposts', 'Accounts', 'Settings', 'Compose']) {
    await page.getByRole('link', { name, exact: true }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
});
