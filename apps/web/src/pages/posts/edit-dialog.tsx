import { Button, Group, Modal, Radio, Stack } from '@mantine/core';
import type { Post } from '@reelay/sdk';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isTooLong } from '../../drafts/draft.ts';
import { useEditPost } from '../../queries/posts.ts';
import { useZone } from '../../time/use-zone.ts';
import { DateTimeField } from '../../ui/date-time-field.tsx';
import { DescriptionField } from '../../ui/description-field.tsx';
import { Failure } from '../../ui/failure.tsx';

/** Changes the text and the time of a post that has not started. Only changed fields are sent. */
export function EditDialog({ post, onClose }: { post: Post; onClose(): void }) {
  const t = useTranslations('post');
  const tStates = useTranslations('states');
  const zone = useZone();
  const edit = useEditPost(post.id);
  // Changes from elsewhere while the dialog is open do not change this form.
  const [opened] = useState(post);
  const [description, setDescription] = useState(opened.description);
  const [when, setWhen] = useState<'at' | 'now'>('at');
  const before = new Date(opened.date).getTime();
  const [at, setAt] = useState<number | null>(before);
  const scheduled = when === 'now' ? null : at === before ? undefined : (at ?? undefined);
  const change = {
    ...(description === opened.description ? {} : { description }),
    ...(scheduled === undefined ? {} : { scheduled }),
  };
  const isChanged = Object.keys(change).length > 0;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) await edit.mutateAsync(change);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('edit')} centered withCloseButton={false}>
      <form onSubmit={(event) => void save(event).catch(() => {})}>
        <Stack>
          <DescriptionField minRows={3} maxRows={12} hasFocus value={description} onChange={setDescription} />
          <Radio.Group label={t('when')} value={when} onChange={(value) => setWhen(value === 'now' ? 'now' : 'at')}>
            <Group mt="xs">
              <Radio value="at" label={t('atTime')} />
              <Radio value="now" label={t('now')} />
            </Group>
          </Radio.Group>
          {when === 'at' && <DateTimeField label={t('at')} initial={before} zone={zone} onChange={setAt} />}
          <Failure error={edit.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {isChanged ? t('discard') : tStates('close')}
            </Button>
            <Button
              type="submit"
              loading={edit.isPending}
              disabled={isTooLong(description) || (when === 'at' && at === null)}
            >
              {when === 'now' ? t('saveAndPost') : t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
