import { Button, Group, Modal, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import type { Post } from '@reelay/sdk';
import { type FormEvent, useState } from 'react';
import { useTimeZone, useTranslations } from 'use-intl';
import { fieldTime, momentOf } from '../../service/local-time.ts';
import { useEditPost } from '../../service/posts.ts';
import { Failure } from '../../ui/failure.tsx';

/** Changes the text and the time of a post that has not begun. Only what was changed is sent. */
export function EditDialog({ post, onClose }: { post: Post; onClose(): void }) {
  const t = useTranslations('post');
  const zone = useTimeZone() ?? 'UTC';
  const edit = useEditPost(post.id);
  const [description, setDescription] = useState(post.description);
  const [when, setWhen] = useState<'at' | 'now'>('at');
  const before = fieldTime(new Date(post.date).getTime());
  const [at, setAt] = useState(before);
  const scheduled = when === 'now' ? null : at === before ? undefined : (momentOf(at) ?? undefined);
  const change = {
    ...(description === post.description ? {} : { description }),
    ...(scheduled === undefined ? {} : { scheduled }),
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (Object.keys(change).length > 0) await edit.mutateAsync(change);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('edit')} centered withCloseButton={false}>
      <form onSubmit={(event) => void save(event).catch(() => {})}>
        <Stack>
          <Textarea
            label={t('description')}
            autosize
            minRows={3}
            maxRows={12}
            dir="auto"
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            data-autofocus
          />
          <Radio.Group label={t('when')} value={when} onChange={(value) => setWhen(value === 'now' ? 'now' : 'at')}>
            <Group mt="xs">
              <Radio value="at" label={t('atTime')} />
              <Radio value="now" label={t('now')} />
            </Group>
          </Radio.Group>
          {when === 'at' && (
            <TextInput
              type="datetime-local"
              label={t('at')}
              description={t('zone', { zone })}
              value={at}
              required
              onChange={({ currentTarget }) => setAt(currentTarget.value)}
            />
          )}
          <Failure error={edit.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('discard')}
            </Button>
            <Button type="submit" loading={edit.isPending}>
              {when === 'now' ? t('saveAndPost') : t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
