/**
 * The script of `offline.html`, which the service worker shows at the address of a page that could not be loaded. Reloads
 * that page as soon as the service responds.
 */
{
  /** Between two checks, in ms. A random part spreads the reloads of all browsers after a restart. */
  const PAUSE_MS = 4_000;
  const SPREAD_MS = 2_000;
  /** A check that takes longer has failed. */
  const LIMIT_MS = 10_000;
  /** What a proxy responds while the service is down. */
  const DOWN = [502, 503, 504];
  const TITLES = { en: 'Reelay cannot be reached', de: 'Reelay ist nicht erreichbar' };

  const root = document.documentElement;
  let timer;
  let isChecking = false;

  function stored(key) {
    try {
      return localStorage.getItem(key) ?? '';
    } catch {
      // Forbidden.
      return '';
    }
  }

  function showScheme() {
    const chosen = stored('mantine-color-scheme-value');
    const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
  }

  /** The stored choice is JSON. */
  function showLanguage() {
    const choices = [stored('reelay-language').replaceAll('"', ''), ...navigator.languages];
    const known = choices.map((tag) => tag.split('-')[0].toLowerCase()).find((tag) => Object.hasOwn(TITLES, tag));
    root.lang = known ?? 'en';
    document.title = TITLES[root.lang];
  }

  function showReason() {
    root.dataset.reason = navigator.onLine ? 'server' : 'offline';
  }

  async function isBack() {
    const request = { method: 'HEAD', cache: 'no-store', redirect: 'manual', signal: AbortSignal.timeout(LIMIT_MS) };
    try {
      return !DOWN.includes((await fetch(location.href, request)).status);
    } catch {
      return false;
    }
  }

  async function check() {
    if (isChecking) return;
    isChecking = true;
    clearTimeout(timer);
    const isUp = await isBack();
    isChecking = false;
    delete root.dataset.trying;
    if (isUp) return reload();
    showReason();
    plan();
  }

  /** A hidden page waits until it is shown. */
  function plan() {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(check, PAUSE_MS + Math.random() * SPREAD_MS);
  }

  function reload() {
    if (location.pathname === '/app/offline.html') location.replace('/app/');
    else location.reload();
  }

  showScheme();
  showLanguage();
  showReason();
  plan();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showScheme);
  addEventListener('online', check);
  addEventListener('offline', showReason);
  document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : check()));
  addEventListener('DOMContentLoaded', () => {
    document.getElementById('try').addEventListener('click', () => {
      root.dataset.trying = '';
      check();
    });
  });
}
