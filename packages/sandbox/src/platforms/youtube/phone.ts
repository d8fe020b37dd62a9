/** The YouTube app of a channel's owner. A Short has a caption of one line, which is the video's title. */
import type { Phone, SimulatorOptions } from '../../contract.ts';
import { publishVideo, update } from '../../store/records.ts';
import { announceVideo } from './hub.ts';
import { appSettings, enrolAccount, type Metadata, newVideoId, type Video } from './records.ts';

export function phone(options: SimulatorOptions): Phone {
  const { store, now } = options;
  return {
    async post(given, { text, video: file, publishedAt = now(), hiddenMs, audience }) {
      const { channelId, title: channelTitle, username } = await enrolAccount(options, given);
      const { listLagMs } = await appSettings(options);
      const video: Video = {
        id: newVideoId(),
        channelId,
        channelTitle,
        metadata: {
          ...textsOf(text),
          tags: [],
          categoryId: '22',
          privacyStatus: audience === 'limited' ? 'private' : 'public',
          selfDeclaredMadeForKids: false,
          containsSyntheticMedia: null,
          embeddable: true,
          license: 'youtube',
          publishAt: null,
        },
        fileName: 'IMG_0001.MP4',
        fileSize: file.bytes,
        durationMs: file.durationMs,
        createdAt: publishedAt,
        listedFrom: now() + (hiddenMs ?? listLagMs),
        processedAt: now() + options.processingMs,
        failureReason: null,
        rejectionReason: null,
        deleted: false,
        thumbnail: null,
      };
      await store.put('video', video.id, video, channelId);
      const url = `${options.baseUrl}/watch?v=${video.id}`;
      const entry = { id: video.id, username, text, url, publishedAt, blobs: [file.blob], mime: file.mime };
      await publishVideo(options, entry, video.id, file.bytes);
      await announceVideo(options, video);
      return { id: video.id, url };
    },
    async edit(_username, id, text) {
      const edited = await store.change<Video>(
        'video',
        id,
        (video) => video && { ...video, metadata: { ...video.metadata, ...textsOf(text) } },
      );
      if (!edited || edited.deleted) throw new Error(`There is no video ${id}.`);
      await announceVideo(options, edited);
    },
    async remove(_username, id) {
      await update<Video>(store, ['video', id], { deleted: true });
      await store.unpublish(id);
    },
  };
}

const MAX_TITLE = 100;

function textsOf(text: string): Pick<Metadata, 'title' | 'description'> {
  const [line = ''] = text.split('\n');
  const title = [...line].slice(0, MAX_TITLE).join('') || 'Video';
  return { title, description: title === text ? '' : text };
}
