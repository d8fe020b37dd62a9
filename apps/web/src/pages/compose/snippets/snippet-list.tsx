/** The snippets of the user: inserts, adds, edits and deletes them. */
import { ActionIcon, Button, Group, Modal, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Snippet } from '@reelay/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from '../../../queries/client.ts';
import { snippetKeys } from '../../../queries/keys.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { IconPencil, IconPlus, IconTrash } from '../../../ui/icons/index.ts';
import classes from '../../../ui/item-list.module.css';
import { SnippetForm } from './snippet-form.tsx';

interface SnippetListProps {
  /** The text of a new snippet. */
  offered: string;
  onInsert(text: string): void;
  onClose(): void;
}

export function SnippetList({ offered, onInsert, onClose }: SnippetListProps) {
  const t = useTranslations('snippets');
  const { snippets } = useClient();
  const queries = useQueryClient();
  const { data: stored, error } = useQuery({ queryKey: snippetKeys.all, queryFn: () => snippets.list() });
  /** The snippet in the form, or `new`; null: the list is shown. */
  const [edited, setEdited] = useState<Snippet | 'new' | null>(null);
  const [asked, setAsked] = useState<Snippet | null>(null);
  const remove = useMutation({
    mutationFn: (id: string) => snippets.delete(id),
    onSettled: () => queries.invalidateQueries({ queryKey: snippetKeys.all }),
  });
  return (
    <Modal opened onClose={onClose} title={t('title')} closeButtonProps={{ 'aria-label': t('close') }}>
      {edited !== null ? (
        <SnippetForm
          id={edited === 'new' ? null : edited.id}
          given={edited === 'new' ? { name: '', text: offered } : edited}
          others={(stored ?? []).filter((each) => each !== edited).map(({ name }) => name)}
          onClose={() => setEdited(null)}
        />
      ) : (
        <Stack>
          <Group>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={!stored}
              onClick={() => setEdited('new')}
            >
              {t('new')}
            </Button>
          </Group>
          <Failure error={stored ? null : error} />
          {!stored && !error && (
            <Stack aria-label={t('loading')} aria-busy>
              <Skeleton h={56} />
              <Skeleton h={56} />
            </Stack>
          )}
          {stored?.length === 0 && <Text c="dimmed">{t('empty')}</Text>}
          <Stack component="ul" gap="xs" className={classes.list}>
            {stored?.map((snippet) => (
              <Item
                key={snippet.id}
                snippet={snippet}
                onInsert={() => onInsert(snippet.text)}
                onEdit={() => setEdited(snippet)}
                onDelete={() => setAsked(snippet)}
              />
            ))}
          </Stack>
        </Stack>
      )}
      {asked && (
        <ConfirmDialog
          title={t('deleteTitle')}
          text={t('deleteText', { name: asked.name })}
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

interface ItemProps {
  snippet: Snippet;
  onInsert(): void;
  onEdit(): void;
  onDelete(): void;
}

function Item({ snippet: { name, text }, onInsert, onEdit, onDelete }: ItemProps) {
  const t = useTranslations('snippets');
  return (
    <li className={classes.item}>
      <UnstyledButton className={classes.button} onClick={onInsert}>
        <Text truncate dir="auto" translate="no">
          {name}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={2} dir="auto" translate="no">
          {text}
        </Text>
      </UnstyledButton>
      <ActionIcon variant="subtle" color="gray" size={44} aria-label={t('editOf', { name })} onClick={onEdit}>
        <IconPencil size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" size={44} aria-label={t('deleteOf', { name })} onClick={onDelete}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </li>
  );
}
