/** Whether the draft is saved, and the way to the other drafts. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { isBlank } from '../../../drafts/draft.ts';
import { useDraft } from '../../../drafts/use-upload.tsx';
import { useClient } from '../../../queries/client.ts';
import { draftsQuery } from '../../../queries/drafts.ts';
import { Failure } from '../../../ui/failure.tsx';
import { IconFiles, IconInfoCircle } from '../../../ui/icons/index.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { useAutosave } from './use-autosave.ts';

const DraftList = lazyPart(async () => (await import('./draft-list.tsx')).DraftList, { isOverlay: true });

/** @param isPosting whether the draft is being posted */
export function DraftBar({ isPosting }: { isPosting: boolean }) {
  const t = useTranslations('drafts');
  const draft = useDraft();
  const saving = useAutosave(isPosting);
  const { data: stored = [] } = useQuery(draftsQuery(useClient()));
  const [isOpen, setIsOpen] = useState(false);
  const [lostVideo, setLostVideo] = useState<{ key: string; name: string } | null>(null);
  const isLost = lostVideo !== null && lostVideo.key === draft.key && !draft.upload && !draft.pending;
  return (
    <>
      <Group gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {stateOf(saving, isBlank(draft), t)}
        </Text>
        {(stored.length > 0 || !isBlank(draft)) && (
          <Button
            size="compact-sm"
            h={30}
            variant="default"
            leftSection={<IconFiles size={16} aria-hidden />}
            onClick={() => setIsOpen(true)}
          >
            {t('button', { count: stored.length })}
          </Button>
        )}
      </Group>
      {saving.conflict && <ConflictAlert saving={saving} conflict={saving.conflict} />}
      {isLost && (
        <Alert w="100%" color="yellow" icon={<IconInfoCircle aria-hidden />} role="status">
          {t('lostVideo', { name: lostVideo.name })}
        </Alert>
      )}
      {isOpen && (
        <DraftList
          onClose={() => setIsOpen(false)}
          onOpened={(key, lost) => {
            setLostVideo(lost === null ? null : { key, name: lost });
            setIsOpen(false);
          }}
        />
      )}
    </>
  );
}

type Saving = ReturnType<typeof useAutosave>;

function stateOf(
  { isSaving, isWaiting, isSaved, failure, conflict, wasRemoved }: Saving,
  isEmpty: boolean,
  t: ReturnType<typeof useTranslations<'drafts'>>,
): string {
  if (conflict) return '';
  if (isWaiting) return t('waiting');
  if (failure) return t('notSaved', { reason: failure.message });
  if (isSaving) return t('saving');
  if (isEmpty) return wasRemoved ? t('removed') : '';
  return isSaved ? t('saved') : '';
}

/** Two devices have changed the draft: asks which version stays. */
function ConflictAlert({ saving, conflict }: { saving: Saving; conflict: NonNullable<Saving['conflict']> }) {
  const t = useTranslations('drafts');
  const [error, setError] = useState<Error | null>(null);
  return (
    <Alert w="100%" color="yellow" icon={<IconInfoCircle aria-hidden />} role="alert" title={t(`${conflict}.title`)}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t(`${conflict}.text`)}</Text>
        <Failure error={error} />
        <Group gap="xs">
          <Button size="compact-md" variant="default" onClick={() => void saving.dropOwn().catch(setError)}>
            {t(`${conflict}.drop`)}
          </Button>
          <Button size="compact-md" onClick={saving.keepOwn}>
            {t('keepOwn')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
