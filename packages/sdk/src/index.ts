/** The Reelay API client for browsers and Node, without dependencies. */
export {
  type ConnectAttempt,
  type ConnectedAccount,
  type ConnectRequest,
  createClient,
  type KeyInformation,
  type Platform,
  type PlatformSetup,
  type ReelayClient,
  type Rule,
} from './client.ts';
export { type PlanLimit, ReelayApiError } from './errors.ts';
export type { components, operations, paths } from './generated/schema.ts';
export type { Video, VideoStream } from './multipart.ts';
export type {
  CreatedPost,
  HistoryEntry,
  NewPost,
  Post,
  PostCheck,
  PostResult,
  PostStatus,
  Posts,
  PostToCheck,
  Range,
  WaitOptions,
} from './posts.ts';
export type { Retry } from './retry.ts';
export type { ClientOptions } from './transport.ts';
export type { SendOptions, Uploads } from './uploads.ts';
