/** The newest posts in the skeleton of their page, as soon as they are read. The scripts of the page take a phone seconds. */
import type { FoundPost, PostPage } from '@reelay/sdk';
import { foldReposts } from '../ui/fold-reposts.ts';
import { mediaAddress } from '../ui/media-address.ts';

/**
 * Writes titles and pictures into the rows of the skeleton.
 * @param response of the newest posts; its body stays unread
 */
export async function showEarlyPosts(response: Promise<Response>): Promise<void> {
  const read = await response;
  if (!read.ok) return;
  // Before anything else uses the response, so it can still be cloned.
  const page = (await read.clone().json()) as PostPage;
  await parsed();
  const places = [...document.querySelectorAll('.skeleton .posts > .row')];
  const rows = foldReposts([page]);
  // The page without posts is another one.
  if (rows.length === 0) return;
  for (const [index, place] of places.entries()) {
    const row = rows[index];
    if (row) show(row.entry, place);
    else place.remove();
  }
  places[0]?.parentElement?.classList.add('read');
}

/** Waits for the skeleton, if the response was faster than the rest of the document. */
async function parsed(): Promise<void> {
  // Module scripts have run before the event for the end of the document.
  while (document.readyState === 'loading' && !document.querySelector('.start + *'))
    await new Promise((resolve) => setTimeout(resolve, 10));
}

function show({ description, filename }: FoundPost, place: Element): void {
  const [picture, title] = place.children;
  const image = document.createElement('img');
  image.className = 'picture';
  image.alt = '';
  image.fetchPriority = 'low';
  image.src = mediaAddress(filename);
  picture?.replaceWith(image);
  // A post without a title has words of its own on the page.
  if (!title || !description) return;
  title.className = 'title';
  title.setAttribute('dir', 'auto');
  title.setAttribute('translate', 'no');
  title.textContent = description;
}
