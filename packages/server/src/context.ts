/** What operations and modules get: every dependency of the service. `app/create-context.ts` creates it. */
import type { Apps } from './accounts/apps/app-store.ts';
import type { Accounts } from './accounts/service.ts';
import type { Channels } from './channels/channel-service.ts';
import type { Secrets } from './config/secrets.ts';
import type { Connector } from './connectors/contract.ts';
import type { HttpServices } from './http/http-services.ts';
import type { Sealer } from './lib/encryption/seal.ts';
import type { SharedSemaphore } from './lib/semaphore.ts';
import type { Live } from './live/live.ts';
import type { Media } from './media/media.ts';
import type { PostDeps } from './posts/types.ts';
import type { BudgetHolder, PostsLeft } from './publishing/budgets.ts';
import type { Sandbox } from './sandbox/open.ts';
import type { MakeHasher } from './storage/incoming/hasher.ts';
import type { UploadFiles } from './uploads/files.ts';
import type { Writers } from './uploads/writers.ts';

export interface Context extends HttpServices {
  secrets: Secrets;
  sealer: Sealer;
  /** The simulated platforms; null when disabled. */
  sandbox: Sandbox | null;
  accounts: Accounts;
  /** The operator's applications at platforms. */
  apps: Apps;
  connectors: Readonly<Record<string, Connector>>;
  /** The devices and chats of users to which notifications are sent. */
  channels: Channels;
  /** As in {@link postsLeft}. */
  postsLeft(connector: Connector, holder: BudgetHolder): Promise<PostsLeft | null>;
  media: Media;
  /** Downloads of the history: one at a time for each user. */
  historyStreams: SharedSemaphore;
  /** Stored videos that are sent to browsers: a few at a time for each user. */
  videoStreams: SharedSemaphore;
  /** Shared by all uploads. */
  uploads: { hasher: MakeHasher; used(bytes: number): void };
  /** Event streams of signed-in users. */
  live: Live;
  /** Resumable uploads until they are finished and posted. */
  uploadFiles: UploadFiles;
  /** Requests of this process that write to resumable uploads. */
  uploadWriters: Writers;
  /** Fetches a video from a URL, as posts need it. */
  fetchVideo: PostDeps['fetchVideo'];
  /** Wakes this process's workers because something is due. Other processes notice within a second. */
  wake(): void;
  /** Checks identities soon, because their platform announced something. */
  announce(identityIds: readonly string[]): void;
}
