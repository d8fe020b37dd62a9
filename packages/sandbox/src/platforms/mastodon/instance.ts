/** Descriptions of the instance and of the caller's account. */
import type { Route, SimulatorResponse } from '../../contract.ts';
import { refusal, routesOf, withCaller } from './access.ts';
import { accountJson } from './present.ts';
import { IMAGE_SIZE_LIMIT, MAX_CHARACTERS, VIDEO_SIZE_LIMIT, type World } from './state.ts';

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
export const VIDEO_TYPES = ['video/webm', 'video/mp4', 'video/quicktime', 'video/ogg'];

export function instanceRoutes(world: World): Route[] {
  const route = routesOf(world);
  return [
    route('GET', '/api/v2/instance', versionTwo),
    route('GET', '/api/v1/instance', versionOne),
    route(
      'GET',
      '/api/v1/accounts/verify_credentials',
      withCaller(['read:accounts', 'profile'], ['all'], async (_world, _request, { account, switches }) => ({
        status: 200,
        body: {
          ...accountJson(world, account),
          source: { privacy: 'public', sensitive: false, language: switches.locale ?? 'en', note: '', fields: [] },
        },
      })),
    ),
  ];
}

async function configuration(world: World) {
  const { maxCharacters = MAX_CHARACTERS, videoSizeLimit = VIDEO_SIZE_LIMIT } = await world.switches();
  return {
    statuses: { max_characters: maxCharacters, max_media_attachments: 4, characters_reserved_per_url: 23 },
    media_attachments: {
      supported_mime_types: [...IMAGE_TYPES, ...VIDEO_TYPES],
      description_limit: 1500,
      image_size_limit: IMAGE_SIZE_LIMIT,
      image_matrix_limit: 33_177_600,
      video_size_limit: videoSizeLimit,
      video_frame_rate_limit: 120,
      video_matrix_limit: 8_294_400,
    },
  };
}

async function versionTwo(world: World): Promise<SimulatorResponse> {
  if ((await world.switches()).oldServer) return refusal(404, 'Not Found');
  return {
    status: 200,
    body: {
      domain: world.domain,
      title: 'Mastodon (simulated)',
      version: '4.5.0',
      api_versions: { mastodon: 7 },
      source_url: 'https://github.com/mastodon/mastodon',
      languages: ['en'],
      configuration: {
        urls: { streaming: world.options.baseUrl.replace(/^http/, 'ws') },
        ...(await configuration(world)),
      },
    },
  };
}

async function versionOne(world: World): Promise<SimulatorResponse> {
  const { oldServer } = await world.switches();
  return {
    status: 200,
    body: {
      uri: world.domain,
      title: 'Mastodon (simulated)',
      version: oldServer ? '3.5.19' : '4.5.0',
      urls: { streaming_api: world.options.baseUrl.replace(/^http/, 'ws') },
      languages: ['en'],
      configuration: await configuration(world),
    },
  };
}
