import { Anchor, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { CatalogItem as Item } from '@reelay/sdk';
import { useFormatter, useTranslations } from 'use-intl';
import { isSelectable } from './catalog-selection.ts';

interface CatalogItemProps {
  item: Item;
  isSelected: boolean;
  onSelect(isSelected: boolean): void;
}

/** An older post. If it cannot be reposted, it shows the reason. */
export function CatalogItem({ item, isSelected, onSelect }: CatalogItemProps) {
  const t = useTranslations('reposts');
  const format = useFormatter();
  const status = isSelectable(item) ? (isSelected ? 'selected' : 'available') : item.status;
  const date = format.dateTime(new Date(item.publishedAt), { dateStyle: 'medium' });
  return (
    <Stack gap={2}>
      <Checkbox
        label={item.caption ? <Caption text={item.caption} /> : t('noCaption')}
        description={[date, t(`catalog.status.${status}`), item.text].filter(Boolean).join(' · ')}
        checked={isSelectable(item) && isSelected}
        disabled={!isSelectable(item)}
        onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
      />
      {item.url && (
        <Group pl={32}>
          <Anchor size="sm" href={item.url} target="_blank" rel="noreferrer">
            <Text span inherit>
              {t('source')}
            </Text>
          </Anchor>
        </Group>
      )}
    </Stack>
  );
}

/** Maximum code points shown of a caption. */
const MAX_SHOWN = 120;

function Caption({ text }: { text: string }) {
  return <bdi translate="no">{[...text].slice(0, MAX_SHOWN).join('')}</bdi>;
}
