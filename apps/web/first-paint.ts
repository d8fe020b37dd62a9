/**
 * A Vite plugin that makes the first paint independent of the scripts. It writes an early script and styles into the page,
 * and the stylesheet after what is painted first. A second page, for requests with a session, has the skeleton of the page
 * that will be shown.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createTranslator } from 'use-intl/core';
import { build, type Plugin, type Rolldown } from 'vite';
import { PAGES } from './src/first-paint/pages.ts';
import { Skeleton, type SkeletonTexts } from './src/first-paint/skeleton.tsx';
import { de } from './src/messages/de/index.ts';
import { more as moreDe } from './src/messages/de/more.ts';
import { en } from './src/messages/en/index.ts';
import { more as moreEn } from './src/messages/en/more.ts';
import type { Catalog, MoreCatalog } from './src/messages/index.ts';
import { LANGUAGES, type Language } from './src/messages/languages.ts';
import { VIDEO_LIMITS } from './src/pages/compose/video/video-check.ts';

const SOURCES = fileURLToPath(new URL('./src/', import.meta.url));
const PAGE = 'index.html';
/** The service sends it to requests with a session. */
const SESSION_PAGE = 'session.html';

const CATALOGS: Readonly<Record<Language, Catalog & MoreCatalog>> = {
  en: { ...en, ...moreEn },
  de: { ...de, ...moreDe },
};

type Modules = Readonly<Record<string, readonly string[]>>;

/** Modules that are loaded on demand, by what needs them: a language, or the rest of it. */
const TEXTS: Modules = Object.fromEntries(
  LANGUAGES.flatMap((each) => [
    [each, [`messages/${each}/index.ts`]],
    [`${each}/more`, [`messages/${each}/more.ts`]],
  ]),
);
/** A page. With `/`: what is below its address. */
const OF_SESSION: Modules = {
  ...Object.fromEntries(PAGES.map((page) => [page, [`pages/${page}/${page}-page.tsx`]])),
  'posts/': ['pages/posts/post-page.tsx'],
};
const WITHOUT_SESSION: Modules = { 'sign-in': ['pages/sign-in/sign-in-page.tsx'] };

export function firstPaint(): Plugin {
  let base = '/';
  return {
    name: 'first-paint',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      base = config.base;
    },
    async generateBundle(_options, bundle) {
      const page = bundle[PAGE];
      if (page?.type !== 'asset') throw new Error(`The build has no ${PAGE}.`);
      const html = stylesheetsLast(String(page.source)).replace('<script type="module"', '$& fetchpriority="low"');
      const filesFor = (modules: Modules) => filesIn(bundle, base, { ...TEXTS, ...modules });
      page.source = withEarly(html, styleOf('start'), await earlyScript(filesFor(WITHOUT_SESSION)));
      const styles = styleOf('start') + styleOf('skeleton') + visibility();
      const skeleton = renderToStaticMarkup(createElement(Skeleton, { texts: texts() }));
      const source = withEarly(html, styles, await earlyScript(filesFor(OF_SESSION)))
        .replace('<html ', '<html data-session ')
        .replace(/<div class="start">.*?<\/div>/s, () => `<div class="start">${skeleton}</div>`);
      this.emitFile({ type: 'asset', fileName: SESSION_PAGE, source });
    },
  };
}

/** The browser paints what precedes a stylesheet before it is loaded. Scripts wait for it. */
function stylesheetsLast(html: string): string {
  const links = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  const rest = links.reduce((text, link) => text.replace(link, ''), html);
  return rest.replace('<!-- stylesheets -->', links.join('\n'));
}

const withEarly = (html: string, style: string, script: string): string =>
  html.replace('<!-- early -->', () => `<style>\n${style}</style>\n<script>${script}</script>`);

/** Addresses of the files that modules need besides those of the page itself. */
function filesIn(bundle: Rolldown.OutputBundle, base: string, modules: Modules): Record<string, string[]> {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
  const first = new Set<string>();
  for (const chunk of chunks) if (chunk.isEntry) collect(chunk.fileName, bundle, first);
  const filesOf = (names: readonly string[]) => {
    const files = new Set<string>();
    for (const name of names) {
      const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(SOURCES + name));
      if (!chunk) throw new Error(`The build has no ${name}.`);
      collect(chunk.fileName, bundle, files);
    }
    return [...files].filter((file) => !first.has(file)).map((file) => base + file);
  };
  return Object.fromEntries(Object.entries(modules).map(([name, names]) => [name, filesOf(names)]));
}

/** Adds a chunk, its stylesheets, and the chunks that it imports. */
function collect(name: string, bundle: Rolldown.OutputBundle, into: Set<string>): void {
  const chunk = bundle[name];
  if (into.has(name) || chunk?.type !== 'chunk') return;
  into.add(name);
  for (const style of chunk.viteMetadata?.importedCss ?? []) into.add(style);
  for (const each of chunk.imports) collect(each, bundle, into);
}

async function earlyScript(files: Record<string, string[]>): Promise<string> {
  const lib = { entry: `${SOURCES}first-paint/early.ts`, formats: ['iife' as const], name: 'early' };
  const built = await build({
    ...{ configFile: false, publicDir: false, logLevel: 'warn', define: { FILES: JSON.stringify(files) } },
    build: { write: false, target: 'es2022', lib },
  });
  const [{ output } = { output: [] }] = Array.isArray(built) ? built : 'output' in built ? [built] : [];
  const [chunk] = output;
  if (chunk?.type !== 'chunk') throw new Error('The early script was not built.');
  return COLOR_SCHEME + chunk.code.trim();
}

/** Sets the colors; a file of its own for pages without the early script. */
const COLOR_SCHEME = readFileSync(new URL('./public/color-scheme.js', import.meta.url), 'utf8').replace(
  /^\/\/.*\n/,
  '',
);

/** A stylesheet without its comments. */
const styleOf = (name: string): string =>
  readFileSync(`${SOURCES}first-paint/${name}.css`, 'utf8').replace(/\/\*.*?\*\/\s*/gs, '');

/** Rules that show one page and one language. */
function visibility(): string {
  const shown = [...PAGES, 'other'].map((page) => `[data-page="${page}"]:not([data-below]) main [data-page="${page}"]`);
  const active = PAGES.map((page) => `[data-page="${page}"] .skeleton [data-name="${page}"]`);
  const hidden = LANGUAGES.map((each) => `:root:not([lang="${each}"]) .skeleton [lang="${each}"]`);
  return [
    `${shown.join(', ')}, [data-below] main [data-page="other"] { display: block; }`,
    `${active.join(', ')} { color: var(--active); background: var(--active-ground); }`,
    `${hidden.join(', ')} { display: none; }`,
    '',
  ].join('\n');
}

function texts(): Record<Language, SkeletonTexts> {
  return { en: textsOf('en'), de: textsOf('de') };
}

function textsOf(language: Language): SkeletonTexts {
  const messages = CATALOGS[language];
  const t = createTranslator({ locale: language, messages, namespace: 'composeVideo' });
  const { bytes, minSeconds: min, maxSeconds: max } = VIDEO_LIMITS;
  return {
    names: messages.shell,
    titles: Object.fromEntries(PAGES.map((page) => [page, messages[page].title])) as SkeletonTexts['titles'],
    drop: t('drop'),
    choose: t('choose'),
    hint: t('hint', { min, max, size: Math.floor(bytes / 2 ** 20) }),
    description: messages.compose.description,
  };
}
