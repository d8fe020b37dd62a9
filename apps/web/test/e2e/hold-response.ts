import type { Page } from '@playwright/test';

/** Reads the next response of a URL when the page asks for it, but passes it on only when it is released. */
export async function holdResponse(
  page: Page,
  url: string | RegExp,
): Promise<{ isRead: Promise<void>; release(): void }> {
  const isRead = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(
    url,
    async (route) => {
      const response = await route.fetch();
      isRead.resolve();
      await held.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  return { isRead: isRead.promise, release: held.resolve };
}
