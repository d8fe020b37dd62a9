/** Posts that are older than the rule: a list to select from, with the order and pace of the selection. */
import { Button, Group, Loader, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useClient } from '../../../queries/client.ts';
import { catalogQuery } from '../../../queries/rules.ts';
import { Failure } from '../../../ui/failure.tsx';
import { CatalogItem } from './catalog-item.tsx';
import { selectAll, toggleItem } from './catalog-selection.ts';
import classes from './panel.module.css';
import type { CatalogFormState } from './use-catalog-form.ts';

export function CatalogTab({ rule, form }: { rule: Rule; form: CatalogFormState }) {
  const t = useTranslations('reposts.catalog');
  const tRule = useTranslations('reposts');
  const catalog = useInfiniteQuery(catalogQuery(useClient(), rule.id));
  const { selection, change } = form;
  const items = catalog.data?.pages.flatMap(({ data }) => data) ?? [];
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
          error={form.perDayProblem}
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
        <Failure error={form.error} />
        <Group>
          <Button loading={form.isSaving} disabled={!form.isDirty} onClick={form.save}>
            {tRule('save')}
          </Button>
          <Text size="sm" role="status">
            {t('selected', { count: selection.items.length })}
            {form.isSaved && ` · ${tRule('saved')}`}
          </Text>
        </Group>
      </Stack>
    </Stack>
  );
}
