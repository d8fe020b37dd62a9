/** The page that composes a post. */
import { useLocation } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { isAdjusted } from '../../drafts/draft.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Composer, previewOf } from './composer.tsx';
import { DraftBar } from './drafts/draft-bar.tsx';
import { SubmitArea } from './submit-area.tsx';
import { useCompose } from './use-compose.ts';
import { VideoPanel } from './video/video-panel.tsx';

const MovedNotice = lazyPart(async () => (await import('./drafts/moved-notice.tsx')).MovedNotice, { isOverlay: true });

export function ComposePage() {
  const t = useTranslations('compose');
  const wasMoved = useLocation({ select: ({ state }) => state.movedPost !== undefined });
  const { composing, isVideoLost, check, posting } = useCompose();
  return (
    <Composer
      title={t('title')}
      bar={<DraftBar isPosting={posting.isSending} />}
      composing={composing}
      check={check}
      video={<VideoPanel video={composing.video} isLost={isVideoLost} {...previewOf(composing)} />}
    >
      {(openOptions) => (
        <>
          <SubmitArea
            chosen={composing.options.chosen}
            at={composing.draft.at}
            problem={posting.problem}
            isSending={posting.isSending}
            isConverting={isAdjusted(composing.draft)}
            error={posting.error}
            onSubmit={posting.submit}
            onSubmitAnother={posting.submitAnother}
            onOptions={openOptions}
          />
          {wasMoved && (
            <MovedNotice draft={composing.draft} canUndo={posting.problem === null} onUndo={posting.submit} />
          )}
        </>
      )}
    </Composer>
  );
}
