/** Texts that are the user's own: names of accounts and captions. */
import { expect, type Page } from './fixtures.ts';

/**
 * Checks that translations of browsers leave own texts unchanged: where an element shows only such a text, it or an
 * ancestor is marked. Own texts within sentences of the page are not checked.
 */
export async function expectUntranslated(page: Page, texts: readonly string[]): Promise<void> {
  const found = await page.evaluate((own) => {
    const unmarked = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      const text = textContent?.trim() ?? '';
      if (text !== '' && own.includes(text) && !parentElement?.closest('[translate="no"], option, svg'))
        unmarked.add(`${text}: ${parentElement?.outerHTML.slice(0, 150)}`);
    }
    return [...unmarked];
  }, texts);
  expect(found).toEqual([]);
}
