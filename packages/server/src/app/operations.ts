/** The lists of all operations and pages of the service. */
import type { Context } from '../context.ts';
import type { Operation } from '../http/operation.ts';
import type { Page } from '../http/page.ts';
import type { RawRoute } from '../http/raw.ts';
import type { SignInOperation } from '../http/sign-in-operation.ts';
import { connectAccount } from '../operations/account/connectAccount.ts';
import { connectSandbox } from '../operations/account/connectSandbox.ts';
import { disconnectAccount } from '../operations/account/disconnectAccount.ts';
import { editAccount } from '../operations/account/editAccount.ts';
import { getAccount } from '../operations/account/getAccount.ts';
import { getAttempt } from '../operations/account/getAttempt.ts';
import { listAttempts } from '../operations/account/listAttempts.ts';
import { deleteAccountGroup } from '../operations/account-group/deleteAccountGroup.ts';
import { listAccountGroups } from '../operations/account-group/listAccountGroups.ts';
import { renameAccountGroup } from '../operations/account-group/renameAccountGroup.ts';
import { saveAccountGroup } from '../operations/account-group/saveAccountGroup.ts';
import { addPasskey } from '../operations/auth/addPasskey.ts';
import { beginPasskey } from '../operations/auth/beginPasskey.ts';
import { challengePasskey } from '../operations/auth/challengePasskey.ts';
import { changePassword } from '../operations/auth/changePassword.ts';
import { createBackupCodes } from '../operations/auth/createBackupCodes.ts';
import { deleteUser } from '../operations/auth/deleteUser.ts';
import { disableSecondFactor } from '../operations/auth/disableSecondFactor.ts';
import { enableSecondFactor } from '../operations/auth/enableSecondFactor.ts';
import { endOtherSessions } from '../operations/auth/endOtherSessions.ts';
import { endSessions } from '../operations/auth/endSessions.ts';
import { getSession } from '../operations/auth/getSession.ts';
import { removePasskey } from '../operations/auth/removePasskey.ts';
import { requestPasswordReset } from '../operations/auth/requestPasswordReset.ts';
import { resetPassword } from '../operations/auth/resetPassword.ts';
import { signIn } from '../operations/auth/signIn.ts';
import { signInWithPasskey } from '../operations/auth/signInWithPasskey.ts';
import { signOut } from '../operations/auth/signOut.ts';
import { signUp } from '../operations/auth/signUp.ts';
import { verifyBackupCode } from '../operations/auth/verifyBackupCode.ts';
import { verifyOneTimeCode } from '../operations/auth/verifyOneTimeCode.ts';
import { copyVideo } from '../operations/dashboard/copyVideo.ts';
import { countCaptions } from '../operations/dashboard/countCaptions.ts';
import { getPostPreview } from '../operations/dashboard/getPostPreview.ts';
import { getPostVideo } from '../operations/dashboard/getPostVideo.ts';
import { getUploadPreview } from '../operations/dashboard/getUploadPreview.ts';
import { getUploadVideo } from '../operations/dashboard/getUploadVideo.ts';
import { listCalendar } from '../operations/dashboard/listCalendar.ts';
import { moveToDrafts } from '../operations/dashboard/moveToDrafts.ts';
import { countNotifications } from '../operations/dashboard/notifications/countNotifications.ts';
import { listNotifications } from '../operations/dashboard/notifications/listNotifications.ts';
import { readNotifications } from '../operations/dashboard/notifications/readNotifications.ts';
import { orderPostPreview } from '../operations/dashboard/orderPostPreview.ts';
import { orderUploadPreview } from '../operations/dashboard/orderUploadPreview.ts';
import { refreshAccount } from '../operations/dashboard/refreshAccount.ts';
import { searchPosts } from '../operations/dashboard/searchPosts.ts';
import { deleteDraft } from '../operations/draft/deleteDraft.ts';
import { getDraft } from '../operations/draft/getDraft.ts';
import { listDrafts } from '../operations/draft/listDrafts.ts';
import { saveDraft } from '../operations/draft/saveDraft.ts';
import { liveEvents } from '../operations/events/liveEvents.ts';
import { getMedia } from '../operations/media/getMedia.ts';
import {
  clientDocument,
  consentCallback,
  consentChoice,
  consentConfirm,
  consentStart,
} from '../operations/oauth/consent-pages.ts';
import { checkApplication } from '../operations/operator/checkApplication.ts';
import { getPlatformSetup } from '../operations/operator/getPlatformSetup.ts';
import { getQueues } from '../operations/operator/getQueues.ts';
import { getStorage } from '../operations/operator/getStorage.ts';
import { listAudit } from '../operations/operator/listAudit.ts';
import { listUsers } from '../operations/operator/listUsers.ts';
import { resumeUser } from '../operations/operator/resumeUser.ts';
import { runDoctor } from '../operations/operator/runDoctor.ts';
import { getSandbox } from '../operations/operator/sandbox/getSandbox.ts';
import { listSandboxPosts } from '../operations/operator/sandbox/listSandboxPosts.ts';
import { postFromPhone } from '../operations/operator/sandbox/postFromPhone.ts';
import { resetSandbox } from '../operations/operator/sandbox/resetSandbox.ts';
import { setSandboxFaults } from '../operations/operator/sandbox/setSandboxFaults.ts';
import { setUserPlan } from '../operations/operator/setUserPlan.ts';
import { suspendUser } from '../operations/operator/suspendUser.ts';
import { home } from '../operations/pages/home.ts';
import { listCatalog } from '../operations/platform/listCatalog.ts';
import { listSetup } from '../operations/platform/listSetup.ts';
import { platforms } from '../operations/platform/platforms.ts';
import { removeApplication } from '../operations/platform/removeApplication.ts';
import { setApplication } from '../operations/platform/setApplication.ts';
import { cancelSchedule } from '../operations/post/cancelSchedule.ts';
import { checkPost } from '../operations/post/checkPost.ts';
import { createPost } from '../operations/post/createPost.ts';
import { deletePost } from '../operations/post/deletePost.ts';
import { editPost } from '../operations/post/editPost.ts';
import { getPost } from '../operations/post/getPost.ts';
import { listHistory } from '../operations/post/listHistory.ts';
import { retryPost } from '../operations/post/retryPost.ts';
import { stopTrying } from '../operations/post/stopTrying.ts';
import { tryNow } from '../operations/post/tryNow.ts';
import { getPostForm } from '../operations/post-forms/getPostForm.ts';
import { addRepost } from '../operations/repost/addRepost.ts';
import { deleteRepost } from '../operations/repost/deleteRepost.ts';
import { editRepost } from '../operations/repost/editRepost.ts';
import { pauseRepost } from '../operations/repost/pauseRepost.ts';
import { previewRepost } from '../operations/repost/previewRepost.ts';
import { previewRule } from '../operations/repost/previewRule.ts';
import { repostActivity } from '../operations/repost/repostActivity.ts';
import { repostCatalog } from '../operations/repost/repostCatalog.ts';
import { repostItem } from '../operations/repost/repostItem.ts';
import { reposts } from '../operations/repost/reposts.ts';
import { getSignInOptions } from '../operations/sign-in/getSignInOptions.ts';
import { deleteSnippet } from '../operations/snippet/deleteSnippet.ts';
import { editSnippet } from '../operations/snippet/editSnippet.ts';
import { listSnippets } from '../operations/snippet/listSnippets.ts';
import { saveSnippet } from '../operations/snippet/saveSnippet.ts';
import { TUS } from '../operations/upload/tus.ts';
import { addNotificationChannel } from '../operations/user/addNotificationChannel.ts';
import { deleteNotificationChannel } from '../operations/user/deleteNotificationChannel.ts';
import { editNotificationSettings } from '../operations/user/editNotificationSettings.ts';
import { editUser } from '../operations/user/editUser.ts';
import { generateApiKey } from '../operations/user/generateApiKey.ts';
import { getApiKey } from '../operations/user/getApiKey.ts';
import { getNotificationSettings } from '../operations/user/getNotificationSettings.ts';
import { getSecondFactor } from '../operations/user/getSecondFactor.ts';
import { getUser } from '../operations/user/getUser.ts';
import { listNotificationChannels } from '../operations/user/listNotificationChannels.ts';
import { listPasskeys } from '../operations/user/listPasskeys.ts';
import { listSessions } from '../operations/user/listSessions.ts';
import { renamePasskey } from '../operations/user/renamePasskey.ts';
import { revokeApiKey } from '../operations/user/revokeApiKey.ts';
import { revokeOtherSessions } from '../operations/user/revokeOtherSessions.ts';
import { revokeSession } from '../operations/user/revokeSession.ts';
import { testNotificationChannel } from '../operations/user/testNotificationChannel.ts';

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
  tryNow,
  stopTrying,
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
  getPostVideo,
  getUploadVideo,
  orderPostPreview,
  getPostPreview,
  orderUploadPreview,
  getUploadPreview,
  listCalendar,
  countCaptions,
  refreshAccount,
  listAccountGroups,
  saveAccountGroup,
  renameAccountGroup,
  deleteAccountGroup,
  listSnippets,
  saveSnippet,
  editSnippet,
  deleteSnippet,
  listDrafts,
  getDraft,
  saveDraft,
  deleteDraft,
  moveToDrafts,
  listNotifications,
  countNotifications,
  readNotifications,
  liveEvents,
  getUser,
  editUser,
  getNotificationSettings,
  editNotificationSettings,
  listNotificationChannels,
  addNotificationChannel,
  deleteNotificationChannel,
  testNotificationChannel,
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

/** Operations of sign-in. */
export const SIGN_IN: readonly SignInOperation[] = [
  signUp,
  signIn,
  changePassword,
  requestPasswordReset,
  resetPassword,
  deleteUser,
  enableSecondFactor,
  disableSecondFactor,
  createBackupCodes,
  verifyOneTimeCode,
  verifyBackupCode,
  beginPasskey,
  addPasskey,
  challengePasskey,
  signInWithPasskey,
  removePasskey,
  getSession,
  signOut,
  endSessions,
  endOtherSessions,
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
