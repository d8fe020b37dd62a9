/** Presents previews of rules. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { shownCaption } from '../../reposts/activity.ts';
import type { RulePreview } from '../../reposts/preview.ts';
import type { preview } from './schemas.ts';
import { ruleRenderer, showWatch } from './show.ts';

export function showPreview(
  { options, warnings, watch, items, captions }: RulePreview,
  context: Pick<Context, 'renderMessage' | 'renderIn'>,
): z.input<typeof preview> {
  const render = ruleRenderer(context, options);
  return {
    warnings: warnings.map(({ code, message }) => ({ code, text: render(message) })),
    watch: showWatch(watch, render),
    items: items.map(({ publishedAt, content, status, reason, repostCaption }) => ({
      publishedAt: publishedAt.toISOString(),
      origin: content.origin,
      caption: shownCaption(content.caption),
      url: content.url,
      durationMs: content.durationMs,
      status,
      reason: reason.code,
      text: render(reason),
      ...(repostCaption === null ? {} : { repostCaption }),
    })),
    captions: captions.map(({ accountId, text, count, limit, problem }) => ({
      platformId: accountId,
      text,
      count,
      limit,
      problem: problem && render(problem),
    })),
  };
}
