/**
 * The service worker. Its only task is to take videos that other apps share with the installed page: it keeps a video, with its
 * text, until the compose page has uploaded it. Nothing else is answered or cached here, so no page is ever stale.
 */
const SHARED = 'reelay-shared';
const SHARED_VIDEO = '/app/shared-video';
/** In UTF-16 code units. */
const MAX_TEXT = 5_000;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  // Where browsers can, all other requests bypass the worker, so that it does not start for them.
  const others = { condition: { not: { urlPattern: { pathname: '/app/share' } } }, source: 'network' };
  if (event.addRoutes) event.waitUntil(event.addRoutes(others).catch(() => {}));
});

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'POST' && new URL(url).pathname === '/app/share') event.respondWith(receive(event.request));
});

async function receive(request) {
  const isKept = await keep(request).catch(() => false);
  return Response.redirect(isKept ? '/app/?shared=video' : '/app/?shared=failed', 303);
}

async function keep(request) {
  const form = await request.formData();
  const video = form.get('video');
  if (!(video instanceof File)) return false;
  const headers = {
    'content-type': video.type || 'application/octet-stream',
    'x-name': encodeURIComponent(video.name),
    'x-last-modified': String(video.lastModified),
    'x-text': encodeURIComponent(textOf(form)),
  };
  const cache = await caches.open(SHARED);
  await cache.put(SHARED_VIDEO, new Response(video, { headers }));
  return true;
}

/** The shared text, or else the title, and the address if the text does not have it. */
function textOf(form) {
  const [text, title, url] = ['text', 'title', 'url'].map((name) => String(form.get(name) ?? '').trim());
  const words = text || title;
  const parts = words.includes(url) ? [words] : [words, url];
  // Half of a surrogate pair cannot be encoded.
  return parts.filter(Boolean).join('\n').slice(0, MAX_TEXT).toWellFormed();
}
