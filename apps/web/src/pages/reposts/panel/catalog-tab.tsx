/** Posts from before the rule: a list to look through, the selection, its order and pace. */
import { Button, Group, Loader, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { catalogQuery, useEditCatalog } from '../../../service/rules.ts';
import { useClient } from '../../../service/service-client.ts';
import { Failure } from '../../../ui/failure.tsx';
import { CatalogItem } from './catalog-item.tsx';
import {
  type CatalogSelection,
  catalogChange,
  isChanged,
  selectAll,
  selectionOf,
  toggleItem,
} from './catalog-selection.ts';
import { problemAt, refusedField } from './options-form.ts';
import classes from './panel.module.css';

export function CatalogTab({ rule }: { rule: Rule }) {
  const t = useTranslations('reposts.catalog');
  const tRule = useTranslations('reposts');
  const catalog = useInfiniteQuery(catalogQuery(useClient(), rule.id));
  const edit = useEditCatalog(rule.id);
  const [chosen, setChosen] = useState<CatalogSelection | null>(null);
  const stored = selectionOf(rule.options);
  const selection = chosen ?? stored;
  const items = catalog.data?.pages.flatMap(({ data }) => data) ?? [];
  const refused = refusedField(edit.error);
  const change = (selected: CatalogSelection) => {
    edit.reset();
    setChosen(selected);
  };
  return (
    <Stack>
      <Text size="sm">{t('lead')}</Text>
      <Group align="flex-end">
        <SegmentedControl
          aria-label={t('order')}
          data={(['oldest', 'newest'] as const).map((value) => ({ value, label: t(value) }))}
          value={selection.order}
          onChange={(order) => change({ ...selection, order })}
        />
        <NumberInput
          label={t('perDay')}
          value={selection.perDay}
          onChange={(value) => change({ ...selection, perDay: typeof value === 'number' ? value : '' })}
          error={problemAt(refused, 'backCatalog.perDay')}
          min={1}
          w={140}
        />
      </Group>
      {catalog.isPending && <Loader aria-label={t('items')} />}
      <Failure error={catalog.error} />
      {catalog.data && items.length === 0 && <Text>{t('empty')}</Text>}
      {items.length > 0 && (
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => change(selectAll(selection, items))}>
            {t('all')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => change({ ...selection, items: [] })}>
            {t('none')}
          </Button>
        </Group>
      )}
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('items')}>
        {items.map((item) => (
          <li key={item.id}>
            <CatalogItem
              item={item}
              isSelected={selection.items.includes(item.id)}
              onSelect={(isSelected) => change(toggleItem(selection, item.id, isSelected))}
            />
          </li>
        ))}
      </Stack>
      {catalog.hasNextPage && (
        <Button variant="default" loading={catalog.isFetchingNextPage} onClick={() => void catalog.fetchNextPage()}>
          {tRule('more')}
        </Button>
      )}
      <Stack gap="xs" className={classes.footer}>
        <Failure error={problemAt(refused, 'backCatalog.perDay') ? null : edit.error} />
        <Group>
          <Button
            loading={edit.isPending}
            disabled={!isChanged(stored, selection)}
            onClick={() => edit.mutate(catalogChange(selection), { onSuccess: () => setChosen(null) })}
          >
            {tRule('save')}
          </Button>
          <Text size="sm" role="status">
            {t('selected', { count: selection.items.length })}
            {edit.isSuccess && !chosen && ` · ${tRule('saved')}`}
          </Text>
        </Group>
      </Stack>
    </Stack>
  );
}
