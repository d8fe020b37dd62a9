/** The list of drafts: opens, deletes, and begins them. */
import { ActionIcon, Button, Group, Modal, Stack, Text, UnstyledButton } from '@mantine/core';
import type { DraftSummary } from '@reelay/sdk';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { isBlank } from '../../../drafts/draft.ts';
import { blankDraft, deleteDraft, keepDraft, openDraft } from '../../../drafts/save-draft.ts';
import { useDraft, useDraftStore } from '../../../drafts/use-upload.tsx';
import { useClient } from '../../../queries/client.ts';
import { draftsQuery } from '../../../queries/drafts.ts';
import { draftKeys } from '../../../queries/keys.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { IconPlus, IconTrash } from '../../../ui/icons/index.ts';
import classes from '../../../ui/item-list.module.css';

interface DraftListProps {
  onClose(): void;
  /** @param lostVideo name of the video of the opened draft, if it is no longer stored */
  onOpened(key: string, lostVideo: string | null): void;
}

export function DraftList({ onClose, onOpened }: DraftListProps) {
  const t = useTranslations('drafts');
  const client = useClient();
  const queries = useQueryClient();
  const store = useDraftStore();
  const draft = useDraft();
  const { data: stored } = useSuspenseQuery(draftsQuery(client));
  const [asked, setAsked] = useState<DraftSummary | null>(null);
  const onSettled = () => queries.invalidateQueries({ queryKey: draftKeys.all });
  const open = useMutation({
    async mutationFn(id: string | null) {
      await keepDraft(client, store);
      if (id !== null) return openDraft(client, store, id);
      store.change(blankDraft(store));
      return null;
    },
    onSuccess: (lostVideo) => onOpened(store.get().key, lostVideo),
    onSettled,
  });
  const remove = useMutation({ mutationFn: (id: string) => deleteDraft(client, store, id), onSettled });
  const isUploading = draft.pending !== null;
  return (
    <Modal opened onClose={onClose} title={t('title')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        {isUploading && <Text size="sm">{t('uploading')}</Text>}
        <Failure error={open.error} />
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={isUploading || isBlank(draft)}
            loading={open.isPending && open.variables === null}
            onClick={() => open.mutate(null)}
          >
            {t('new')}
          </Button>
        </Group>
        {stored.length === 0 && <Text c="dimmed">{t('empty')}</Text>}
        <Stack component="ul" gap="xs" className={classes.list}>
          {stored.map((each) => (
            <Item
              key={each.id}
              draft={each}
              isOpen={each.id === draft.key}
              isDisabled={isUploading || open.isPending}
              onOpen={() => open.mutate(each.id)}
              onDelete={() => setAsked(each)}
            />
          ))}
        </Stack>
      </Stack>
      {asked && (
        <ConfirmDialog
          title={t('deleteTitle')}
          text={t('deleteText')}
          action={t('delete')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutateAsync(asked.id)}
          onClose={() => setAsked(null)}
        />
      )}
    </Modal>
  );
}

const MINUTE = 60_000;

interface ItemProps {
  draft: DraftSummary;
  isOpen: boolean;
  isDisabled: boolean;
  onOpen(): void;
  onDelete(): void;
}

function Item({ draft, isOpen, isDisabled, onOpen, onDelete }: ItemProps) {
  const t = useTranslations('drafts');
  const format = useFormatter();
  const now = useNow({ updateInterval: MINUTE });
  const { description, platforms, video, changedAt } = draft;
  const name = description.trim().split('\n', 1)[0] || t('untitled');
  const details = [
    isOpen ? t('current') : format.relativeTime(new Date(changedAt), now),
    t('accounts', { count: platforms.length }),
    video ? video.name : t('noVideo'),
  ];
  return (
    <li className={classes.item}>
      <UnstyledButton className={classes.button} disabled={isOpen || isDisabled} onClick={onOpen}>
        <Text truncate>{name}</Text>
        <Text size="xs" c="dimmed" truncate>
          {details.join(' · ')}
        </Text>
      </UnstyledButton>
      <ActionIcon variant="subtle" color="gray" size={44} aria-label={t('deleteOf', { name })} onClick={onDelete}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </li>
  );
}
