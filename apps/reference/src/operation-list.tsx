/** The searchable list of operations, by tag. */
import { CloseButton, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@reelay/web/ui/icons/index.ts';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApi } from './api-context.tsx';
import { MethodBadge } from './method-badge.tsx';
import classes from './operation-list.module.css';
import { type OperationGroup, searchGroups } from './operations.ts';
import { PlaceLink, usePlace } from './place.tsx';

interface OperationListProps {
  search: string;
  onSearch(text: string): void;
}

export function OperationList({ search, onSearch }: OperationListProps) {
  const t = useTranslations('reference');
  const { groups } = useApi();
  const { name } = usePlace();
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another operation is another item
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [name]);
  const isSearching = search.trim() !== '';
  const found = searchGroups(groups, search);
  const count = found.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <div ref={list}>
      <TextInput
        type="search"
        value={search}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
        aria-label={t('search')}
        placeholder={t('searchHint')}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          isSearching && <CloseButton size="sm" aria-label={t('clearSearch')} onClick={() => onSearch('')} />
        }
        classNames={{ input: classes.search }}
      />
      <VisuallyHidden role="status">{isSearching ? t('found', { count }) : ''}</VisuallyHidden>
      {!isSearching && (
        <PlaceLink to="" className={classes.item} aria-current={name === '' ? 'page' : undefined}>
          {t('overview')}
        </PlaceLink>
      )}
      {count === 0 && (
        <Text c="dimmed" mt="md" px="xs">
          {t('nothingFound', { text: search.trim() })}
        </Text>
      )}
      <Groups groups={found.filter((group) => !group.isSessionOnly)} />
      <SessionGroups
        key={String(isSearching)}
        groups={found.filter((group) => group.isSessionOnly)}
        isOpen={isSearching}
      />
    </div>
  );
}

/** Closed at first, unless a search or the current operation is in it. */
function SessionGroups({ groups, isOpen }: { groups: readonly OperationGroup[]; isOpen: boolean }) {
  const t = useTranslations('reference');
  const { name } = usePlace();
  const isHere = groups.some(({ operations }) => operations.some(({ operationId }) => operationId === name));
  const [chosen, setChosen] = useState<boolean | null>(null);
  if (groups.length === 0) return null;
  return (
    <details
      className={classes.session}
      open={chosen ?? (isOpen || isHere)}
      onToggle={({ currentTarget }) => setChosen(currentTarget.open)}
    >
      <summary className={classes.summary}>
        <IconChevronRight size={16} className={classes.chevron} aria-hidden />
        {t('sessionOnly')}
      </summary>
      <Text size="xs" c="dimmed" px="xs">
        {t('sessionOnlyHint')}
      </Text>
      <Groups groups={groups} />
    </details>
  );
}

function Groups({ groups }: { groups: readonly OperationGroup[] }) {
  const { name } = usePlace();
  return groups.map((group) => (
    <section key={group.name} className={classes.group}>
      <h2 className={classes.tag} lang="en">
        {group.name}
      </h2>
      <ul className={classes.list} lang="en">
        {group.operations.map(({ operationId, method, summary }) => (
          <li key={operationId}>
            <PlaceLink
              to={operationId}
              className={classes.item}
              aria-current={operationId === name ? 'page' : undefined}
            >
              <MethodBadge method={method} size="xs" />
              <span>{summary}</span>
            </PlaceLink>
          </li>
        ))}
      </ul>
    </section>
  ));
}
