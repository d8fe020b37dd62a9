/** What is known before a post is sent: reasons of `POST /post/check` that are not errors, and warnings. */
import { messagesOf } from './message.ts';

export const CHECK_MESSAGES = {
  daily_limit: 'The daily limit of the platform is reached. The post waits until it resets.',
  rate_limit: 'The platform limits requests at the moment. The post waits.',
  permission_missing: '{platform} did not grant every required permission ({scopes}). Reconnect the account.',
  access_ends: 'Access to this account expires on {endAt}, before the post is due. Reconnect the account before then.',
  film_track: 'The film is video track {number} of the file. Only this track is posted.',
  sound_track: 'The sound is audio track {number} of the file. An earlier track is empty, silent or cannot be decoded.',
  sound_unusable: 'No audio track of the file can be decoded. A converted video has no sound.',
  key_frames:
    'The video has up to {seconds} s between two key frames. Some players show it late after a jump, and some platforms process it badly.',
  codec_tag:
    'The file labels its HEVC video as {tag}, which Apple’s players do not play. To label it as hvc1: ffmpeg -i in.mp4 -c copy -tag:v hvc1 out.mp4',
  video_unfit: 'The platform does not accept this video. {reason}',
} as const;

export const explain = messagesOf(CHECK_MESSAGES, {}, 'check.');
