/** The reels of a Page: `start`, `finish`, and the list. */
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import { injectRequestedFault, processingTime } from '../../faults/requested.ts';
import { fieldsIn, type Parameters, parametersOf, timeIn } from '../../graph/parameters.ts';
import { isListed } from '../../graph/phone.ts';
import { ok } from '../../graph/responses.ts';
import { page as htmlPage, textPage } from '../../http/pages.ts';
import type { Handler } from '../../http/routes.ts';
import { lastDay, ownedBy } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import { actingPage, callerOf, needs, noSuchObject, roleOf } from './caller.ts';
import { paged } from './nodes.ts';
import { newVideo, newVideoId, type Page, switchesOf, type Video } from './records.ts';
import { invalid, invalidToken, refuse, unavailable, usedUp } from './responses.ts';
import { killGrant } from './tokens.ts';
import { announce, isPublished, isSettled, publishReel, videoFields } from './video.ts';

const REELS_A_DAY = 30;
const MAX_DESCRIPTION = 63_206;
const MAX_TITLE = 255;

export const postReel: Handler = async (options, request) => {
  const parameters = await parametersOf(request);
  const caller = await callerOf(options, request, parameters);
  const page = await actingPage(options, caller, request.params.id ?? '');
  needs(caller, 'pages_show_list', 'pages_read_engagement', 'pages_manage_posts');
  if (!roleOf(caller, page.id).includes('CREATE_CONTENT'))
    refuse({ code: 200, message: '(#200) The user must have the task CREATE_CONTENT on the Page.' });
  // The documentation states the limit but not the error code.
  if (options.limits && lastDay(page.posts, options.now()).length >= REELS_A_DAY)
    refuse({ code: 613, message: '(#613) Calls to this api have exceeded the rate limit.' });
  switch (parameters.get('upload_phase')) {
    case 'start':
      return start(options, page);
    case 'finish':
      return finish(options, page, parameters, caller.record.grantId);
    default:
      return invalid('upload_phase must be one of: start, finish');
  }
};

async function start(options: SimulatorOptions, page: Page): Promise<SimulatorResponse> {
  const video = newVideo(options, page);
  await options.store.put('video', video.id, video, page.id);
  return ok({ video_id: video.id, upload_url: `${options.baseUrl}/video-upload/${video.id}` });
}

async function finish(
  options: SimulatorOptions,
  page: Page,
  parameters: Parameters,
  grantId: string,
): Promise<SimulatorResponse> {
  const id = parameters.get('video_id') ?? '';
  if (!id) invalid('The parameter video_id is required.');
  const video = await options.store.get<Video>('video', id);
  if (!video || video.pageId !== page.id) refuse(noSuchObject(id));
  const state = parameters.get('video_state') ?? '';
  if (state !== 'PUBLISHED' && state !== 'DRAFT' && state !== 'SCHEDULED')
    return invalid('video_state must be one of: PUBLISHED, SCHEDULED, DRAFT');
  if (state === 'SCHEDULED') checkSchedule(options, parameters.get('scheduled_publish_time'));
  const description = parameters.get('description') ?? '';
  const title = parameters.get('title') ?? '';
  if (description.length > MAX_DESCRIPTION) invalid('description is too long.');
  if (title.length > MAX_TITLE) invalid('title is too long.');
  if (!isSettled(video, options.now(), await switchesOf(options)))
    refuse({
      code: 6000,
      subcode: 1_363_130,
      title: 'Video Upload Is Missing',
      message: 'There was a problem uploading your video file. Please try again.',
    });
  const requester = { caption: description, publish: id, account: page.id };
  const trouble = await injectRequestedFault(options.store, requester, {
    async reconnect() {
      await killGrant(options, grantId);
      return invalidToken(458, 'The user has not authorized the application.');
    },
    rateLimited: usedUp(page.id),
    down: unavailable(),
  });
  let first = false;
  const after = await options.store.change<Video>('video', id, (current) => {
    first = current?.finishedAt === null;
    if (!first || !current) return undefined;
    return {
      ...current,
      state,
      description,
      title,
      trouble,
      finishedAt: options.now(),
      processingMs: processingTime(trouble, current.processingMs),
      ...(trouble === 'reject'
        ? { failure: { code: 1_363_128, message: 'The video is too short or too long for a reel.' } }
        : {}),
    };
  });
  if (!after) throw new Error(`Video ${id} has gone.`);
  await announce(options, after);
  if (first)
    await options.store.change<Page>(
      'page',
      page.id,
      (current) => current && { ...current, posts: [...lastDay(current.posts, options.now()), options.now()] },
    );
  else if ((await switchesOf(options)).finishTwice) await publishReel(options, after, `${id} ${newVideoId()}`);
  return { ...ok({ success: true }), trouble: trouble === 'lost-answer' && first ? trouble : undefined };
}

/** Validates a scheduled time: 10 minutes to 29 days ahead. */
function checkSchedule(options: SimulatorOptions, text: string | undefined): void {
  const ahead = Number(text ?? Number.NaN) * 1000 - options.now();
  if (!(ahead >= 600_000 && ahead <= 29 * DAY)) invalid('The specified scheduled publish time is invalid.');
}

/** `GET /{page}/video_reels`: published reels, newest first. */
export const listReels: Handler = async (options, request) => {
  const parameters = await parametersOf(request);
  const caller = await callerOf(options, request, parameters);
  const page = await actingPage(options, caller, request.params.id ?? '');
  needs(caller, 'pages_show_list', 'pages_read_engagement');
  const switches = await switchesOf(options);
  const [since, until] = [timeIn(parameters, 'since'), timeIn(parameters, 'until')];
  const reels = (await ownedBy<Video>(options, 'video', page.id))
    .filter((video) => isPublished(video, options.now(), switches))
    .filter(({ finishedAt, phone }) => isListed({ at: finishedAt ?? 0, phone }, options.now()))
    .filter(({ finishedAt }) => (finishedAt ?? 0) >= since && (finishedAt ?? 0) <= until)
    .sort((a, b) => (b.finishedAt ?? 0) - (a.finishedAt ?? 0));
  const fields = fieldsIn(parameters.get('fields') ?? 'id,description,updated_time');
  const data = await Promise.all(reels.map((video) => videoFields(options, video, fields, true)));
  return paged(options, request, parameters, data);
};

/** The public page of a reel. */
export const reelPage: Handler = async ({ store }, { params }) => {
  const video = await store.get<Video>('video', params.id ?? '');
  if (!video?.announced) return htmlPage("This content isn't available right now", '', 404);
  const owner = await store.get<Page>('page', video.pageId);
  return textPage(owner?.name ?? '', video.description);
};
