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
import { getPostForm } from './api/account/getPostForm.ts';
import { listAttempts } from './api/account/listAttempts.ts';
import { getMedia } from './api/media/getMedia.ts';
import { listCatalog } from './api/platform/listCatalog.ts';
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
import { editRepost } from './api/repost/editRepost.ts';
import { pauseRepost } from './api/repost/pauseRepost.ts';
import { previewRepost } from './api/repost/previewRepost.ts';
import { previewRule } from './api/repost/previewRule.ts';
import { repostActivity } from './api/repost/repostActivity.ts';
import { repostCatalog } from './api/repost/repostCatalog.ts';
import { repostItem } from './api/repost/repostItem.ts';
import { reposts } from './api/repost/reposts.ts';
import { TUS } from './api/upload/tus.ts';
import { generateApiKey } from './api/user/generateApiKey.ts';
import { getApiKey } from './api/user/getApiKey.ts';
import { revokeApiKey } from './api/user/revokeApiKey.ts';
import type { Context } from './context.ts';
import { connectSandbox } from './dashboard/connectSandbox.ts';
import { copyVideo } from './dashboard/copyVideo.ts';
import { countCaptions } from './dashboard/countCaptions.ts';
import { editUser } from './dashboard/editUser.ts';
import { getSecondFactor } from './dashboard/getSecondFactor.ts';
import { getSignInOptions } from './dashboard/getSignInOptions.ts';
import { getUser } from './dashboard/getUser.ts';
import { listCalendar } from './dashboard/listCalendar.ts';
import { listPasskeys } from './dashboard/listPasskeys.ts';
import { listSessions } from './dashboard/listSessions.ts';
import { liveEvents } from './dashboard/liveEvents.ts';
import { countNotifications } from './dashboard/notifications/countNotifications.ts';
import { editNotificationSettings } from './dashboard/notifications/editNotificationSettings.ts';
import { getNotificationSettings } from './dashboard/notifications/getNotificationSettings.ts';
import { listNotifications } from './dashboard/notifications/listNotifications.ts';
import { readNotifications } from './dashboard/notifications/readNotifications.ts';
import { checkApplication } from './dashboard/operator/checkApplication.ts';
import { getPlatformSetup } from './dashboard/operator/getPlatformSetup.ts';
import { getQueues } from './dashboard/operator/getQueues.ts';
import { getStorage } from './dashboard/operator/getStorage.ts';
import { listAudit } from './dashboard/operator/listAudit.ts';
import { listUsers } from './dashboard/operator/listUsers.ts';
import { resumeUser } from './dashboard/operator/resumeUser.ts';
import { runDoctor } from './dashboard/operator/runDoctor.ts';
import { setUserPlan } from './dashboard/operator/setUserPlan.ts';
import { suspendUser } from './dashboard/operator/suspendUser.ts';
import { refreshAccount } from './dashboard/refreshAccount.ts';
import { renamePasskey } from './dashboard/renamePasskey.ts';
import { revokeOtherSessions } from './dashboard/revokeOtherSessions.ts';
import { revokeSession } from './dashboard/revokeSession.ts';
import { getSandbox } from './dashboard/sandbox/getSandbox.ts';
import { listSandboxPosts } from './dashboard/sandbox/listSandboxPosts.ts';
import { postFromPhone } from './dashboard/sandbox/postFromPhone.ts';
import { resetSandbox } from './dashboard/sandbox/resetSandbox.ts';
import { setSandboxFaults } from './dashboard/sandbox/setSandboxFaults.ts';
import { searchPosts } from './dashboard/searchPosts.ts';
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
  listCatalog,
  connectAccount,
  connectSandbox,
  listAttempts,
  getAttempt,
  getAccount,
  editAccount,
  getPostForm,
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
  editRepost,
  deleteRepost,
  pauseRepost,
  repostActivity,
  repostCatalog,
  repostItem,
  previewRule,
  previewRepost,
  getMedia,
  getSignInOptions,
  searchPosts,
  copyVideo,
  listCalendar,
  countCaptions,
  refreshAccount,
  listNotifications,
  countNotifications,
  readNotifications,
  liveEvents,
  getUser,
  editUser,
  getNotificationSettings,
  editNotificationSettings,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  listPasskeys,
  renamePasskey,
  getSecondFactor,
  listUsers,
  setUserPlan,
  suspendUser,
  resumeUser,
  getQueues,
  getStorage,
  runDoctor,
  getPlatformSetup,
  checkApplication,
  listAudit,
  getSandbox,
  listSandboxPosts,
  postFromPhone,
  setSandboxFaults,
  resetSandbox,
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
  { name: 'User', description: 'The signed-in user, sessions, and ways to sign in.' },
  { name: 'Operator', description: 'Managing the service. Requires a session of the operator.' },
  { name: 'Sandbox', description: 'The simulated platforms. Requires a session of the operator.' },
  { name: 'Dashboard', description: 'What the dashboard needs. Requires a session.' },
] as const;
