/**
 * The service worker of the dashboard. It shows `offline.html` instead of a page that could not be loaded, and takes videos
 * that other apps share with the installed page. Nothing of the dashboard itself is cached, so no page is ever stale.
 */
const SHARE = '/app/share';
const SHARED = 'reelay-shared';
const SHARED_VIDEO = '/app/shared-video';
/** In UTF-16 code units. */
const MAX_TEXT = 5_000;

const OFFLINE_PAGE = '/app/offline.html';
const OFFLINE_SCRIPT = '/app/offline.js';
const OFFLINE_CACHES = 'reelay-offline-';
/** Ends with a hash of the two files, so that a worker is installed again when they change. A test states the hash. */
const OFFLINE = `${OFFLINE_CACHES}e75812a2`;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(keepOfflinePage());
  if (!event.addRoutes) return;
  // Where browsers can, all other requests bypass the worker, so that it does not start for them.
  const taken = [{ requestMode: 'navigate' }, { urlPattern: { pathname: OFFLINE_SCRIPT } }];
  event.waitUntil(event.addRoutes({ condition: { not: { or: taken } }, source: 'network' }).catch(() => {}));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([deleteOldPages(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method === 'POST' && pathname === SHARE) event.respondWith(receive(event.request));
  else if (method === 'GET' && mode === 'navigate') event.respondWith(openPage(event));
  else if (origin === self.location.origin && pathname === OFFLINE_SCRIPT)
    event.respondWith(offlineScript(event.request));
});

async function keepOfflinePage() {
  const cache = await caches.open(OFFLINE);
  await cache.addAll([OFFLINE_PAGE, OFFLINE_SCRIPT].map((path) => new Request(path, { cache: 'no-cache' })));
}

async function deleteOldPages() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OFFLINE_CACHES) && name !== OFFLINE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** The browser sends the request while the worker starts (navigation preload), so a page does not wait for the worker. */
async function openPage({ preloadResponse, request }) {
  try {
    const response = (await preloadResponse) ?? (await fetch(request));
    return (isFromProxy(response) && (await offlinePage())) || response;
  } catch (error) {
    const page = await offlinePage();
    if (page) return page;
    throw error;
  }
}

/**
 * Whether a proxy responds because the service is down. The service names each of its responses. A proxy that says when to
 * try again has a page about planned maintenance, which is shown.
 */
function isFromProxy({ status, headers }) {
  return [502, 503, 504].includes(status) && !headers.has('x-request-id') && !headers.has('retry-after');
}

/** @returns undefined if the browser has deleted the page */
async function offlinePage() {
  const kept = await caches.match(OFFLINE_PAGE, { cacheName: OFFLINE }).catch(() => undefined);
  return kept && new Response(kept.body, { status: 503, headers: kept.headers });
}

async function offlineScript(request) {
  return (await caches.match(OFFLINE_SCRIPT, { cacheName: OFFLINE })) ?? fetch(request);
}

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
