/**
 * Runs in the head of the page, before the first paint: chooses what the skeleton shows, and requests what the page needs
 * while its scripts are loading. The build writes it into the pages.
 */
import { CHOSEN_LANGUAGE, languageToShow } from '../messages/languages.ts';
import { showEarlyPosts } from './early-posts.ts';
import { NEWEST_POSTS, requestsOf, sendEarly } from './early-requests.ts';
import { pageAt } from './pages.ts';

/** Addresses of built files, by what they are loaded for. The build writes them here. */
declare const FILES: Readonly<Record<string, readonly string[]>>;

const { dataset } = document.documentElement;
const language = languageToShow(storedLanguage(), navigator.languages);
const { page, isBelow } = pageAt(location.pathname);
document.documentElement.lang = language;
dataset.page = page;
if (isBelow) dataset.below = '';
// The service sends another page for requests with a session.
const hasSession = dataset.session !== undefined;
const needed = hasSession ? (isBelow ? `${page}/` : page) : 'sign-in';
const isVisible = document.visibilityState === 'visible';
if (hasSession) window.early = sendEarly(requestsOf(page, isBelow, location.search), language, isVisible);
const posts = window.early?.responses.get(NEWEST_POSTS);
// The page itself will say what is wrong.
if (posts && isVisible) showEarlyPosts(posts).catch(() => {});
const texts = needed === 'compose' ? [language] : [language, `${language}/more`];
const files = [...texts, needed].flatMap((name) => FILES[name] ?? []);
// Each takes a moment. In one task, all of them together would delay the first paint. A hidden page is not painted.
if (isVisible) requestAnimationFrame(() => setTimeout(preloadAll));
else preloadAll();

function preloadAll(): void {
  for (const file of files) setTimeout(preload, 0, file);
}

function storedLanguage(): unknown {
  try {
    return JSON.parse(localStorage.getItem(CHOSEN_LANGUAGE) ?? 'null');
  } catch {
    // Forbidden, or written by something else.
    return null;
  }
}

function preload(file: string): void {
  const link = document.createElement('link');
  const isStyle = file.endsWith('.css');
  link.rel = isStyle ? 'preload' : 'modulepreload';
  if (isStyle) link.as = 'style';
  link.crossOrigin = '';
  // What the page shows comes before what it does.
  link.fetchPriority = 'low';
  link.href = file;
  document.head.append(link);
}
