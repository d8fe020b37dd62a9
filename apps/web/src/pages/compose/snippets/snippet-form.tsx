/** Adds or edits a snippet. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { SaveSnippet } from '@reelay/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from '../../../queries/client.ts';
import { snippetKeys } from '../../../queries/keys.ts';
import { Failure } from '../../../ui/failure.tsx';
import { GrowingTextarea } from '../../../ui/growing-textarea.tsx';

/** In UTF-16 units, as the service limits them. */
const MAX = { name: 40, text: 2_000 } as const;

interface SnippetFormProps {
  /** null: a new snippet. */
  id: string | null;
  given: SaveSnippet;
  /** Names of the other snippets. */
  others: readonly string[];
  onClose(): void;
}

export function SnippetForm({ id, given, others, onClose }: SnippetFormProps) {
  const t = useTranslations('snippets');
  const { snippets } = useClient();
  const queries = useQueryClient();
  const [name, setName] = useState(given.name);
  const [text, setText] = useState(given.text);
  const wanted = { name: name.trim(), text: text.trim() };
  const isTooLong = wanted.text.length > MAX.text;
  const canSave = wanted.name !== '' && wanted.text !== '' && !isTooLong;
  const save = useMutation({
    async mutationFn() {
      await (id === null ? snippets.save(wanted) : snippets.edit(id, wanted));
      await queries.invalidateQueries({ queryKey: snippetKeys.all });
    },
    onSuccess: onClose,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave && !save.isPending) save.mutate();
      }}
    >
      <Stack>
        <TextInput
          label={t('name')}
          description={id === null && t('hint')}
          data-autofocus
          dir="auto"
          translate="no"
          maxLength={MAX.name}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <GrowingTextarea
          label={t('text')}
          minRows={3}
          maxRows={10}
          dir="auto"
          translate="no"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={isTooLong && t('tooLong', { count: wanted.text.length, max: MAX.text })}
        />
        {others.includes(wanted.name) && (
          <Text size="sm" role="status">
            {t('replaces', { name: wanted.name })}
          </Text>
        )}
        <Failure error={save.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" disabled={!canSave} loading={save.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
