/** The daily pages at the bottom of narrow screens, where a thumb reaches them. */
import { AppShell, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import classes from './bottom-bar.module.css';
import { DAILY_PAGES, isAt } from './pages.ts';

/** @param onChoose called when a page is chosen */
export function BottomBar({ path, onChoose }: { path: string; onChoose(): void }) {
  const t = useTranslations('shell');
  return (
    <AppShell.Footer hiddenFrom="sm">
      <nav className={classes.bar} aria-label={t('daily')}>
        {DAILY_PAGES.map(({ to, name, Icon }) => (
          <Link
            key={to}
            to={to}
            className={classes.item}
            aria-current={isAt(path, to) ? 'page' : undefined}
            onClick={onChoose}
          >
            <Icon size={22} aria-hidden />
            <Text span inherit truncate maw="100%">
              {t(name)}
            </Text>
          </Link>
        ))}
      </nav>
    </AppShell.Footer>
  );
}
