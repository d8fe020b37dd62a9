/** Serves publish status. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { jsonObject } from '../../http/parameters.ts';
import { totalBytes } from '../../store/chunks.ts';
import { asCaller } from './caller.ts';
import { type AppSettings, appSettings, type Task, uploadIdIn } from './records.ts';
import { okWithBare, refuse, stringAt } from './responses.ts';
import { announce } from './upload.ts';

interface PublishStatus {
  status: 'PROCESSING_UPLOAD' | 'PUBLISH_COMPLETE' | 'FAILED';
  failReason: string;
  /** At most one, and only for a public post. */
  postIds: string[];
}

/**
 * During the first half of the processing time the upload is in progress. Then it is complete or has failed. When the
 * time is over, a public post has passed moderation and shows its id.
 */
function statusOf(task: Task, now: number, { hidesPostIds = false }: AppSettings): PublishStatus {
  const since = task.completedAt === null ? -1 : now - task.completedAt;
  if (since < task.processingMs / 2) return { status: 'PROCESSING_UPLOAD', failReason: '', postIds: [] };
  if (task.failReason !== null) return { status: 'FAILED', failReason: task.failReason, postIds: [] };
  const shown = since >= task.processingMs && task.privacy === 'PUBLIC_TO_EVERYONE' && !hidesPostIds;
  return { status: 'PUBLISH_COMPLETE', failReason: '', postIds: shown ? [task.postId] : [] };
}

/** `POST /v2/post/publish/status/fetch/`: the status of an upload. */
export const fetchStatus = asCaller(
  'status',
  ['video.publish', 'video.upload'],
  async (options, request, { account }) => {
    const task = await findRequestedTask(options, request, account.openId);
    if ('refusal' in task) return task.refusal;
    const settings = await appSettings(options);
    const { status, failReason, postIds } = statusOf(await announce(options, task), options.now(), settings);
    return okWithBare(
      options,
      { status, fail_reason: failReason, publicaly_available_post_id: '', uploaded_bytes: totalBytes(task.chunks) },
      { publicaly_available_post_id: `[${postIds.join(',')}]` },
    );
  },
);

/** Only a pull can be canceled, and this simulator has no pulls. */
export const cancel = asCaller('other', ['video.publish', 'video.upload'], async (options, request, { account }) => {
  const task = await findRequestedTask(options, request, account.openId);
  if ('refusal' in task) return task.refusal;
  return refuse(options, 'publish_not_cancellable', 'Only a download that is under way can be cancelled.');
});

async function findRequestedTask(
  options: SimulatorOptions,
  request: SimulatorRequest,
  openId: string,
): Promise<Task | { refusal: SimulatorResponse }> {
  const publishId = stringAt(await jsonObject(request), 'publish_id');
  if (publishId === undefined) return { refusal: refuse(options, 'invalid_params', 'publish_id is missing.') };
  const task = await options.store.get<Task>('task', uploadIdIn(publishId) ?? '');
  if (!task) return { refusal: refuse(options, 'invalid_publish_id', 'There is no such publish_id.') };
  if (task.openId === openId) return task;
  const message = 'The token belongs to another user than the publish_id.';
  return { refusal: refuse(options, 'token_not_authorized_for_specified_publish_id', message) };
}
