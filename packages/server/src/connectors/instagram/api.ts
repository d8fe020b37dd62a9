/** Graph API calls with either login, the checkpoint, and the status of its container. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, JsonObject, Session } from '../contract.ts';
import { defineCheckpoint } from '../kit/checkpoint.ts';
import { isFailure } from '../kit/failures.ts';
import { type GraphApi, graphApi, isGone } from '../kit/graph-api.ts';
import { type ContainerState, containerState } from '../kit/graph-container.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';
import { failureOf } from './classify.ts';

/** Graph API version. A version is supported for about two years. */
export const VERSION = 'v25.0';

export type Login = 'instagram' | 'facebook';

export function loginOf(secret: JsonObject): Login {
  return textAt(secret, 'login') === 'facebook' ? 'facebook' : 'instagram';
}

/** Each login has its own host. Only Facebook Login supports a proof of the application's secret. */
export function apiFor(
  { http, endpoints, apps, now }: Pick<ConnectContext, 'http' | 'endpoints' | 'apps' | 'now'>,
  login: Login,
  token: string,
): GraphApi {
  const [host, app] =
    login === 'facebook' ? [endpoints.facebookGraph, apps.facebook] : [endpoints.instagramGraph, null];
  return graphApi({ http, base: `${host}/${VERSION}`, token, app, now, failureOf });
}

export function apiOf(session: Session): GraphApi {
  return apiFor(session, loginOf(session.secret), tokenOf(session));
}

/** Reads an object. @throws PlatformError */
export function readNode(
  context: Parameters<typeof readAsAccount>[0],
  id: string,
  query: Readonly<Record<string, string>>,
): Promise<JsonObject> {
  return readAsAccount(context, (api) => api.get(encodeURIComponent(id), query));
}

/**
 * Reads with the account's token. Meta at times answers 100/33 to a valid Page token for an object that the person's
 * token shows, so that token is tried before the object counts as gone. @throws PlatformError
 */
export async function readAsAccount<T>(
  context: Parameters<typeof apiFor>[0] & Pick<Session, 'secret' | 'remoteId'>,
  read: (api: GraphApi) => Promise<T>,
): Promise<T> {
  const { secret } = context;
  const readWith = (token: string) => read(apiFor(context, loginOf(secret), token));
  const own = tokenOf(context);
  const personal = textAt(secret, 'accessToken');
  try {
    return await readWith(own);
  } catch (error) {
    if (!isGone(error) || !personal || personal === own) throw error;
    return readWith(personal).catch((other) => {
      // The person's token has ended or shows the same: the first response stands.
      throw isFailure(other, 'tokenExpired', 'reconnect') ? error : other;
    });
  }
}

/** With Facebook Login, the Page token if there is one, else the user token. */
export function tokenOf({ secret, remoteId }: Pick<Session, 'secret' | 'remoteId'>): string {
  return textAt(secret, 'pages', remoteId) || textAt(secret, 'accessToken');
}

/** Progress of a publish. */
export const { empty: NEW, parse: progressOf } = defineCheckpoint({
  /** Container id; "" before one is created. */
  container: '',
  /** Where to send the bytes; "" if the platform fetches them. */
  uploadUrl: '',
  /** When the container was created, ms since the epoch. */
  createdAt: 0,
  uploaded: false,
  /** Container polls made so far. */
  polls: 0,
  /** Number of earlier containers that failed. */
  restarts: 0,
  /** When the first publish request was prepared, ms since the epoch; 0 if never. */
  offeredAt: 0,
  /** Number of publish requests, and when the last one was prepared (ms since the epoch). */
  sends: 0,
  sentAt: 0,
  /** Id of the reel; "" until it is known. */
  mediaId: '',
  /** Number of polls for the reel. */
  looks: 0,
  /** Number of containers that the platform reported as failed. */
  failures: 0,
});
export type Progress = typeof NEW;

export interface ContainerStatus {
  state: ContainerState | 'gone';
  /** The status text, which contains the error code. */
  status: string;
  /** Bytes uploaded so far. */
  transferred: number;
  /** All bytes are uploaded. */
  uploaded: boolean;
}

/** `GET /{container-id}`; `gone` if the platform does not show it to us. @throws PlatformError */
export async function pollContainer(session: Session, container: string, withUpload = false): Promise<ContainerStatus> {
  await session.spend('calls');
  const fields = `status_code,status${withUpload ? ',video_status' : ''}`;
  try {
    return readContainer(await readNode(session, container, { fields }));
  } catch (error) {
    const isGone = error instanceof PlatformError && /^(100\/33|24)(\/|$)/.test(error.failure.platformCode ?? '');
    if (isGone) return { state: 'gone', status: '', transferred: 0, uploaded: false };
    throw error;
  }
}

export function readContainer(body: unknown): ContainerStatus {
  const upload = ['video_status', 'uploading_phase'] as const;
  return {
    state: containerState(textAt(body, 'status_code')),
    status: tameWords(textAt(body, 'status')),
    // Facebook's videos spell it with one r; either spelling is accepted.
    transferred: numberAt(body, ...upload, 'bytes_transferred') ?? numberAt(body, ...upload, 'bytes_transfered') ?? 0,
    uploaded: textAt(body, ...upload, 'status') === 'complete',
  };
}
