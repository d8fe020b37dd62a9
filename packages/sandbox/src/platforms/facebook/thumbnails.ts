/** `POST /{video}/thumbnails`: sets the thumbnail of a Page's video. */
import { randomBytes } from 'node:crypto';
import { ok } from '../../graph/responses.ts';
import { readForm } from '../../http/multipart-form.ts';
import { firstBytes, PICTURES } from '../../http/pictures.ts';
import type { Handler } from '../../http/routes.ts';
import { actingPage, callerOf, needs, noSuchObject, roleOf } from './caller.ts';
import { switchesOf, type Video } from './records.ts';
import { invalid, refuse } from './responses.ts';
import { isPublished } from './video.ts';

const MAX_BYTES = 10_000_000;

export const addThumbnail: Handler = async (options, request) => {
  const key = `thumbnail-${randomBytes(8).toString('hex')}`;
  const form = await readForm(request, { blobs: options.blobs, key, maxBytes: MAX_BYTES, part: 'source' });
  const picture = form?.file && (await firstBytes(options.blobs, key));
  await options.blobs.remove(key);
  const parameters = new Map([...request.query, ...(form?.fields ?? [])]);
  const caller = await callerOf(options, request, parameters);
  const id = request.params.id ?? '';
  const video = await options.store.get<Video>('video', id);
  if (!video) return refuse(noSuchObject(id));
  const page = await actingPage(options, caller, video.pageId);
  needs(caller, 'pages_show_list', 'pages_manage_posts');
  if (!roleOf(caller, page.id).includes('CREATE_CONTENT')) refuse({ code: 200, message: '(#200) Permissions error' });
  if (!isPublished(video, options.now(), await switchesOf(options)))
    invalid('Thumbnails can only be created on videos of a Page.');
  if (!form?.file || !picture) return invalid('The parameter source is required.');
  const { bytes, sha256, mime } = form.file;
  const isPicture = Object.values(PICTURES).some((begins) => picture.startsWith(begins));
  if (bytes > MAX_BYTES || !isPicture || !/^image\/(jpeg|png)$/.test(mime))
    invalid('source is no picture that can be taken.');
  const preferred = parameters.get('is_preferred') ?? 'false';
  if (preferred !== 'true' && preferred !== 'false') invalid('is_preferred must be a boolean.');
  const thumbnail = { sha256, bytes, preferred: preferred === 'true' };
  await options.store.change<Video>(
    'video',
    id,
    (current) => current && { ...current, thumbnails: [...current.thumbnails, thumbnail] },
  );
  return ok({ success: true });
};
