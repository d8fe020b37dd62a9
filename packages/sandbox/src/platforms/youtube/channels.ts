/** Serves `channels.list`. */
import type { SimulatorOptions } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { asCaller } from './caller.ts';
import { type Account, MAY_READ, uploadsOf } from './records.ts';
import { badRequest, listResponse, onlyParameters, partsOf, resource } from './responses.ts';

/** All parts of the resource (discovery document). The simulator has content for some of them. */
const PARTS = [
  ...['id', 'snippet', 'contentDetails', 'status', 'statistics', 'brandingSettings', 'topicDetails'],
  ...['localizations', 'auditDetails', 'contentOwnerDetails'],
];

/** `GET /youtube/v3/channels?mine=true`: the channel of a token. Without a channel, the response has no `items`. */
export const listChannels = asCaller('units', MAY_READ, async (options, request, { account }) => {
  onlyParameters(request, ['part', 'mine', 'maxResults']);
  const parts = partsOf(request, PARTS);
  if (!parts) return badRequest("'part' is missing or names unknown parts.");
  if (request.query.get('mine') !== 'true') return badRequest('No filter selected.');
  if (!account.hasChannel) return listResponse('channelListResponse', null);
  const all = { snippet: snippetOf(options, account), ...detailsOf(account) };
  return listResponse('channelListResponse', [resource('channel', account.channelId, all, parts)]);
});

function snippetOf(options: SimulatorOptions, account: Account): JsonObject {
  const url = `${options.baseUrl}/avatar/${account.channelId}.png`;
  return {
    title: account.title,
    description: '',
    customUrl: `@${account.username}`,
    publishedAt: '2021-03-01T10:00:00Z',
    thumbnails: { default: { url, width: 88, height: 88 }, high: { url, width: 800, height: 800 } },
  };
}

function detailsOf(account: Account): Record<'contentDetails' | 'status' | 'statistics', JsonObject> {
  return {
    statistics: { viewCount: '0', subscriberCount: '0', hiddenSubscriberCount: false, videoCount: '0' },
    contentDetails: { relatedPlaylists: { likes: '', uploads: uploadsOf(account.channelId) } },
    status: { privacyStatus: 'public', isLinked: true, longUploadsStatus: account.longUploads },
  };
}
