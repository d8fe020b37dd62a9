/** The list of all operations and pages of the service. */
import { connectAccount } from './api/account/connectAccount.ts';
import {
  clientDocument,
  consentCallback,
  consentChoice,
  consentConfirm,
  consentStart,
} from './api/account/consent-pages.ts';
import { disconnectAccount } from './api/account/disconnectAccount.ts';
import { editAccount } from './api/account/editAccount.ts';
import { getAccount } from './api/account/getAccount.ts';
import { getAttempt } from './api/account/getAttempt.ts';
import { listAttempts } from './api/account/listAttempts.ts';
import { getMedia } from './api/media/getMedia.ts';
import { listSetup } from './api/platform/listSetup.ts';
import { platforms } from './api/platform/platforms.ts';
import { removeApplication } from './api/platform/removeApplication.ts';
import { setApplication } from './api/platform/setApplication.ts';
import { cancelSchedule } from './api/post/cancelSchedule.ts';
import { checkPost } from './api/post/checkPost.ts';
import { createPost } from './api/post/createPost.ts';
import { deletePost } from './api/post/deletePost.ts';
import { editPost } from './api/post/editPost.ts';
import { getPost } from './api/post/getPost.ts';
import { listHistory } from './api/post/listHistory.ts';
import { retryPost } from './api/post/retryPost.ts';
import { addRepost } from './api/repost/addRepost.ts';
import { deleteRepost } from './api/repost/deleteRepost.ts';
import { pauseRepost } from './api/repost/pauseRepost.ts';
import { reposts } from './api/repost/reposts.ts';
import { TUS } from './api/upload/tus.ts';
import { generateApiKey } from './api/user/generateApiKey.ts';
import { getApiKey } from './api/user/getApiKey.ts';
import { revokeApiKey } from './api/user/revokeApiKey.ts';
import type { Context } from './context.ts';
import type { Operation } from './http/operation.ts';
import type { Page } from './http/page.ts';
import type { RawRoute } from './http/raw.ts';
import { home } from './pages.ts';

/** In the order of the API reference. */
export const OPERATIONS: readonly Operation[] = [
  getApiKey,
  generateApiKey,
  revokeApiKey,
  platforms,
  connectAccount,
  listAttempts,
  getAttempt,
  getAccount,
  editAccount,
  disconnectAccount,
  listSetup,
  setApplication,
  removeApplication,
  createPost,
  checkPost,
  listHistory,
  cancelSchedule,
  getPost,
  editPost,
  retryPost,
  deletePost,
  reposts,
  addRepost,
  deleteRepost,
  pauseRepost,
  getMedia,
];

/** Routes of external protocols. */
export const RAWS: readonly RawRoute[] = TUS;

export const PAGES: readonly Page<Context>[] = [
  home,
  consentStart,
  consentConfirm,
  consentCallback,
  consentChoice,
  clientDocument,
];

/** Groups of the API reference, in its order. */
export const TAGS = [
  { name: 'API key', description: 'The key for API requests.' },
  { name: 'Platforms', description: 'Connected accounts.' },
  { name: 'Posts', description: 'Posting, scheduling and the history.' },
  { name: 'Uploads', description: 'Resumable uploads (tus 1.0), for large videos and unreliable connections.' },
  { name: 'Reposts', description: 'Rules that repost from one account to others.' },
  { name: 'Media', description: 'Pictures referenced in responses.' },
] as const;
