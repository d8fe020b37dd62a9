/** The filters of the history. */
import { Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { memo, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { MAX_TEXT, type PostSearch, parseSearch } from '../../queries/post-search.ts';
import { IconSearch } from '../../ui/icons/index.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';

/** Lists and calendars are a third of what the page loads, so they are loaded when the posts are there. */
const ChoiceFilters = lazyPart(async () => (await import('./choice-filters.tsx')).ChoiceFilters, {
  Fallback: ChoicePlaces,
});

/** Debounce delay of requests while the user types, in ms. */
const TYPING_MS = 350;

interface PostFiltersProps {
  search: PostSearch;
  onChange(search: PostSearch): void;
  onReset(): void;
}

/** Rendered only when the filters change, because its fields take long. */
export const PostFilters = memo(function PostFilters({ search, onChange, onReset }: PostFiltersProps) {
  const t = useTranslations('posts');
  const [text, setText] = useState(search.text ?? '');
  const set = (fields: { [Name in keyof PostSearch]?: string | null }) =>
    onChange(parseSearch({ ...search, ...fields }));
  const setTextLater = useDebouncedCallback((value: string) => set({ text: value }), TYPING_MS);
  // A late change of the URL must not overwrite newer input.
  useEffect(() => {
    if (!setTextLater.isPending()) setText(search.text ?? '');
  }, [search.text, setTextLater]);
  return (
    <Group align="flex-end" gap="sm" role="search">
      <TextInput
        label={t('text')}
        type="search"
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={MAX_TEXT}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setTextLater(currentTarget.value);
        }}
        dir="auto"
        translate="no"
        flex="1 1 200px"
      />
      <ChoiceFilters search={search} onChange={set} onReset={onReset} />
    </Group>
  );
});

/** What is in the place of the filters that are chosen from lists, until they are loaded. */
function ChoicePlaces() {
  const t = useTranslations('posts');
  const place = (label: string, placeholder: string, flex: string) => (
    <TextInput label={label} placeholder={placeholder} flex={flex} miw={0} readOnly inert />
  );
  return (
    <>
      {place(t('account'), t('allAccounts'), '1 1 160px')}
      {place(t('status'), t('allStatuses'), '1 1 130px')}
      <Group gap="sm" flex="1 1 324px">
        {place(t('from'), t('anyDay'), '1 1 150px')}
        {place(t('to'), t('anyDay'), '1 1 150px')}
      </Group>
    </>
  );
}
