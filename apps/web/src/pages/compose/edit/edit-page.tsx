/** The page that changes a post until it begins. */
import { Alert, Button } from '@mantine/core';
import type { Post } from '@reelay/sdk';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useBlocker, useParams } from '@tanstack/react-router';
import { use, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isAdjusted } from '../../../drafts/draft.ts';
import { newKey } from '../../../drafts/draft-store.ts';
import { openEdit } from '../../../drafts/post-edits.ts';
import { readValues } from '../../../drafts/read-values.ts';
import { useWorkspace, WorkspaceProvider } from '../../../drafts/use-upload.tsx';
import type { PostEdit } from '../../../drafts/workspace.ts';
import { usePolling } from '../../../live/use-live.ts';
import { useClient } from '../../../queries/client.ts';
import { postKeys } from '../../../queries/keys.ts';
import { isAhead, postQuery } from '../../../queries/posts.ts';
import { isSignedOut } from '../../../queries/signed-out.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { IconClock, IconInfoCircle } from '../../../ui/icons/index.ts';
// Keeps the shared parts in one file with the compose page, which compresses better than a file of their own.
import '../compose-page.tsx';
import { Composer, previewOf } from '../composer.tsx';
import { SubmitBar } from '../submit-bar.tsx';
import { EditedVideo } from './edited-video.tsx';
import { openedDraft } from './post-change.ts';
import { useEdit } from './use-edit.ts';

/** How often the post is read while live updates do not arrive, in ms. */
const POLL_MS = 10_000;

export function EditPage() {
  const { id } = useParams({ from: '/signed-in/posts/$id/edit' });
  const refetchInterval = usePolling(POLL_MS);
  const { data: post } = useSuspenseQuery({ ...postQuery(useClient(), id), refetchInterval });
  const { edits } = useWorkspace();
  const [wasEditable] = useState(() => isAhead(post) || edits.has(id));
  return wasEditable ? <Begun key={id} post={post} /> : <NotEditable id={id} />;
}

function NotEditable({ id }: { id: string }) {
  const t = useTranslations('post');
  return (
    <EmptyState
      image={IconClock}
      role="status"
      isPage
      title={t('notEditable')}
      action={
        <Button component={Link} to={`/posts/${id}` as '/posts/$id'}>
          {t('open')}
        </Button>
      }
    >
      {t('notEditableHint')}
    </EmptyState>
  );
}

/** Continues or begins the change of the post. */
function Begun({ post }: { post: Post }) {
  const client = useClient();
  const queries = useQueryClient();
  const workspace = useWorkspace();
  // Kept, because a change that was saved is closed before the page is left.
  const [opening] = useState(() =>
    openEdit(workspace, post.id, async () => openedDraft(post, await readValues(client, queries, post), newKey())),
  );
  const edit = use(opening);
  const [own] = useState(() => ({ ...workspace, ...edit }));
  const { manager } = edit;
  useEffect(
    () =>
      manager.subscribe(() => {
        // Reading the post is refused, too. Then the user is asked to sign in.
        if (isSignedOut(manager.get()?.error)) void queries.invalidateQueries({ queryKey: postKeys.one(post.id) });
      }),
    [manager, queries, post.id],
  );
  return (
    <WorkspaceProvider value={own}>
      <Form post={post} edit={edit} />
    </WorkspaceProvider>
  );
}

function Form({ post, edit }: { post: Post; edit: PostEdit }) {
  const t = useTranslations('post');
  const tStates = useTranslations('states');
  const { opened } = edit;
  const { composing, isVideoLost, check, saving, leave } = useEdit(post, opened);
  const { draft, current } = composing;
  const isFixed = Boolean(post.repostOf);
  const isOpen = isAhead(post);
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => saving.isChanged });
  const notice = (
    <>
      {!isOpen && !saving.isSending && (
        <Alert color="red" icon={<IconInfoCircle aria-hidden />} role="alert" title={t('notEditable')}>
          {t('begun')}
        </Alert>
      )}
      {isFixed && (
        <Alert color="blue" icon={<IconInfoCircle aria-hidden />}>
          {t('ofRule')}
        </Alert>
      )}
    </>
  );
  const shown = isFixed
    ? { ...composing, accounts: composing.accounts.filter(({ id }) => current.accounts.includes(id)) }
    : composing;
  return (
    <Composer
      title={t('editTitle')}
      notice={notice}
      composing={shown}
      check={check}
      isFixed={isFixed}
      video={
        <EditedVideo
          postId={post.id}
          filename={post.filename}
          isFixed={isFixed}
          isLost={isVideoLost}
          before={opened.previewTime}
          video={composing.video}
          {...previewOf(composing)}
        />
      }
    >
      {(openOptions) => (
        <SubmitBar
          chosen={saving.accounts}
          problem={saving.problem}
          label={draft.at === null ? t('saveAndPost') : t('save')}
          isSending={saving.isSending}
          isConverting={draft.upload !== null && isAdjusted(draft)}
          failure={<Failure error={saving.error} />}
          onSubmit={saving.save}
          onOptions={openOptions}
        >
          <Button size="md" variant="default" onClick={() => void leave(false)}>
            {saving.isChanged ? t('discard') : tStates('close')}
          </Button>
        </SubmitBar>
      )}
    </Composer>
  );
}
