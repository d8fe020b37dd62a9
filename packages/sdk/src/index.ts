/** The Reelay API client for browsers and Node, without dependencies. */
export type { AccountGroup, AccountGroups, SaveAccountGroup } from './account-groups.ts';
export {
  type Account,
  type ConnectAttempt,
  type ConnectablePlatform,
  type ConnectedAccount,
  type ConnectRequest,
  createClient,
  type FormCondition,
  type FormText,
  type KeyInformation,
  type Platform,
  type PlatformSetup,
  type PostForm,
  type PostFormField,
  type ReelayClient,
} from './client.ts';
export type { Draft, DraftSummary, Drafts, MoveToDrafts, SaveDraft } from './drafts.ts';
export { type FieldProblem, isFinal, isTooLargeForProxy, type PlanLimit, ReelayApiError } from './errors.ts';
export type { EventOptions, LiveEvent } from './events.ts';
export type { components, operations, paths } from './generated/schema.ts';
export type { Video, VideoStream } from './multipart.ts';
export type {
  AddNotificationChannel,
  Notification,
  NotificationChange,
  NotificationChannel,
  NotificationChannelKind,
  NotificationChannels,
  NotificationKind,
  NotificationPage,
  NotificationSettings,
  Notifications,
} from './notifications.ts';
export type {
  ApplicationCheck,
  AuditEntry,
  DoctorFinding,
  ManagedUser,
  Operator,
  OperatorPage,
  OperatorPageOptions,
  PlatformGuide,
  QueueStatus,
  StorageStatus,
} from './operator.ts';
export type {
  CaptionCount,
  CreatedPost,
  FoundPost,
  HistoryEntry,
  NewPost,
  PageOptions,
  Post,
  PostChange,
  PostCheck,
  PostFilter,
  PostPage,
  PostResult,
  PostStatus,
  Posts,
  PostToCheck,
  Range,
  WaitOptions,
} from './posts.ts';
export type { Retry } from './retry.ts';
export type {
  ActivityPage,
  CatalogItem,
  Rule,
  RuleActivity,
  RuleOptions,
  RulePreview,
  Rules,
} from './rules.ts';
export type { PhonePost, Sandbox, SandboxFault, SandboxPost, SandboxStatus } from './sandbox.ts';
export type { Session, SignedIn, SignInOptions } from './session.ts';
export type { SaveSnippet, Snippet, Snippets } from './snippets.ts';
export type { ClientOptions } from './transport.ts';
export type { Preview, SendOptions, Uploads } from './uploads.ts';
export type { CurrentUser, Passkey, SecondFactor, User, UserSession, UserSettings } from './user.ts';
