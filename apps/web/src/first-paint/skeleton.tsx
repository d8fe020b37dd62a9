/**
 * The frame of a page and the place of its content, until the page's scripts have run. Rendered when the dashboard is
 * built, in all languages. The attributes of the document say which page and language are shown. See skeleton.css.
 */
import type { ReactNode } from 'react';
import { DAILY_PAGES, SETTINGS_PAGE } from '../app/pages.ts';
import { LANGUAGES, type Language } from '../messages/languages.ts';
import { IconMovie } from '../ui/icons/index.ts';
import { PAGES, type PageName } from './pages.ts';

export interface SkeletonTexts {
  /** Names in the navigation. */
  names: Readonly<Record<'compose' | 'posts' | 'calendar' | 'accounts' | 'reposts' | 'settings', string>>;
  titles: Readonly<Record<PageName, string>>;
  /** In the place of the video: with a mouse, with a finger, and below both. */
  drop: string;
  choose: string;
  hint: string;
  description: string;
}

interface SkeletonProps {
  texts: Readonly<Record<Language, SkeletonTexts>>;
}

export function Skeleton({ texts }: SkeletonProps) {
  const inAll = (choose: (texts: SkeletonTexts) => string): ReactNode =>
    LANGUAGES.map((language) => (
      <span key={language} lang={language}>
        {choose(texts[language])}
      </span>
    ));
  return (
    <div className="skeleton" aria-hidden="true">
      <header>
        <i className="burger" />
        <img src="/app/icon.svg" width="28" height="28" alt="" />
        <b>Reelay</b>
      </header>
      <nav>
        {[...DAILY_PAGES, SETTINGS_PAGE].map(({ name, Icon }) => (
          <span key={name} data-name={name}>
            <Icon size={20} />
            {inAll(({ names }) => names[name])}
          </span>
        ))}
      </nav>
      <main>
        {PAGES.map((page) => (
          <section key={page} data-page={page}>
            <b>{inAll(({ titles }) => titles[page])}</b>
            {page === 'compose' && <Compose inAll={inAll} />}
            {page === 'posts' && <Posts />}
            {page !== 'compose' && page !== 'posts' && <Blocks page={page} />}
          </section>
        ))}
        <section data-page="other">
          <Blocks page="settings" />
        </section>
      </main>
      <footer>
        {DAILY_PAGES.map(({ name, Icon }) => (
          <span key={name} data-name={name}>
            <Icon size={22} />
            {inAll(({ names }) => names[name])}
          </span>
        ))}
      </footer>
    </div>
  );
}

const ROWS = [1, 2, 3, 4, 5, 6];

function Compose({ inAll }: { inAll(choose: (texts: SkeletonTexts) => string): ReactNode }) {
  return (
    <div className="columns">
      <div className="drop">
        <IconMovie size={48} />
        <b className="mouse">{inAll(({ drop }) => drop)}</b>
        <b className="finger">{inAll(({ choose }) => choose)}</b>
        <small>{inAll(({ hint }) => hint)}</small>
      </div>
      <div className="fields">
        <b>{inAll(({ description }) => description)}</b>
        <i className="field" />
        <div className="cards">
          {ROWS.map((row) => (
            <i key={row} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Posts() {
  return (
    <div className="posts">
      <div className="filters">
        <i />
        <i />
        <i />
        <span>
          <i />
          <i />
        </span>
      </div>
      {ROWS.map((row) => (
        <div key={row} className="row">
          <i className="picture" />
          <i className="text" />
        </div>
      ))}
    </div>
  );
}

/** Pages of cards; pages with one large view. Other pages have sections. */
const SHAPES: Partial<Record<PageName, { className: string; count: number }>> = {
  accounts: { className: 'blocks tiles', count: 9 },
  sandbox: { className: 'blocks tiles', count: 9 },
  calendar: { className: 'blocks view', count: 1 },
  reposts: { className: 'blocks view', count: 1 },
};

function Blocks({ page }: { page: PageName }) {
  const { className, count } = SHAPES[page] ?? { className: 'blocks', count: 2 };
  return (
    <div className={className}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
        <i key={index} />
      ))}
    </div>
  );
}
