/**
 * The service worker. Its only task is to take videos that other apps share with the installed page: it keeps a video
 * until the compose page has uploaded it. Nothing else is answered or cached here, so no page is ever stale.
 */
const SHARED = 'reelay-shared';
const SHARED_VIDEO = '/app/shared-video';

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
  const video = (await request.formData()).get('video');
  if (!(video instanceof File)) return false;
  const headers = {
    'content-type': video.type || 'application/octet-stream',
    'x-name': encodeURIComponent(video.name),
    'x-last-modified': String(video.lastModified),
  };
  const cache = await caches.open(SHARED);
  await cache.put(SHARED_VIDEO, new Response(video, { headers }));
  return true;
}
