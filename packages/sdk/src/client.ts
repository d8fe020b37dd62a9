import { type AccountGroups, createAccountGroups } from './account-groups.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import { type EventOptions, type LiveEvent, readEvents } from './events.ts';
import type { components, operations } from './generated/schema.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { createOperator, type Operator } from './operator.ts';
import { createPosts, type Posts } from './posts.ts';
import { createRules, type Rules } from './rules.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { createSession, type Session } from './session.ts';
import { createSnippets, type Snippets } from './snippets.ts';
import { type BodyOf, type ClientOptions, createTransport, jsonOf, type Transport } from './transport.ts';
import { createUploads, type Uploads } from './uploads.ts';
import { createUser, type User } from './user.ts';

export type KeyInformation = components['schemas']['KeyInformation'];
export type Platform = components['schemas']['Platform'];
export type Account = components['schemas']['Account'];
export type PostForm = components['schemas']['PostForm'];
export type PostFormField = components['schemas']['PostFormField'];
export type FormText = components['schemas']['FormText'];
export type FormCondition = components['schemas']['FormCondition'];
export type ConnectRequest = components['schemas']['ConnectAccount'];
export type ConnectAttempt = components['schemas']['ConnectAttempt'];
export type PlatformSetup = components['schemas']['PlatformSetup'];
export type ConnectablePlatform = components['schemas']['ConnectablePlatform'];
export type ConnectedAccount = components['schemas']['ConnectedAccount'];

export interface ReelayClient {
  /** For browsers. */
  session: Session;
  user: User;
  key: {
    info(): Promise<KeyInformation>;
    /** Creates a key. The previous key stops working, also in this client. */
    generate(): Promise<string>;
    revoke(): Promise<void>;
  };
  platforms: {
    list(): Promise<Platform[]>;
    /** The supported platforms. The operator sets up those that are not configured. */
    catalog(): Promise<ConnectablePlatform[]>;
    /** Requires a session. Returns a URL to open in a browser, or the accounts that were connected immediately. */
    connect(request: ConnectRequest): Promise<{ attempt: string; url: string | null; accounts: ConnectedAccount[] }>;
    /** Requires a session. Connects a simulated account on every platform that has none yet, or another one on a platform. */
    connectSandbox(platform?: string): Promise<ConnectedAccount[]>;
    /** Requires a session. The latest connect attempts, newest first. */
    attempts(): Promise<ConnectAttempt[]>;
    /** Requires a session. */
    attempt(id: string): Promise<ConnectAttempt>;
    /** One account with its choices. */
    get(id: string): Promise<Account>;
    /**
     * Requires a session. Choices that are not given stay unchanged.
     * @param choices name → value or label
     */
    choose(id: string, choices: Record<string, string>): Promise<Account>;
    /** How to ask a person for the options of a post on an account. */
    form(id: string): Promise<PostForm>;
    /**
     * Requires a session. Reads the account from its platform now, at most once in 30 seconds. Returns the stored values
     * if the platform does not respond; `fresh` says whether it did.
     */
    refresh(id: string): Promise<Account & { fresh: boolean }>;
    /** Requires a session. */
    disconnect(id: string): Promise<void>;
    /**
     * Operator only.
     * @param options.check also probes the hosts of configured platforms
     */
    setup(options?: { check?: boolean }): Promise<PlatformSetup[]>;
    /**
     * Operator only: stores an application.
     * @param name as in {@link PlatformSetup}
     */
    setApplication(name: string, application: { clientId: string; clientSecret: string }): Promise<void>;
    /** Operator only. */
    removeApplication(name: string): Promise<void>;
  };
  posts: Posts;
  /** For large videos and unreliable connections: upload first, then post by `uploadId`. */
  uploads: Uploads;
  rules: Rules;
  /** What needs the user's attention. */
  notifications: Notifications;
  accountGroups: AccountGroups;
  drafts: Drafts;
  snippets: Snippets;
  /** For the operator: managing the service. */
  operator: Operator;
  /** For the operator: the simulated platforms. */
  sandbox: Sandbox;
  /**
   * Requires a session. Tells what has changed, until `signal` is aborted or the iteration is left. Reconnects by itself.
   * Every connection begins with `resync`.
   * @throws ReelayApiError when the session has ended
   */
  events(options?: EventOptions): AsyncGenerator<LiveEvent, void, void>;
  /**
   * A thumbnail or profile picture.
   * @param filename value of `filename`, or the last segment of `usernameImage`
   */
  media(filename: string): Promise<Blob>;
}

/** Creates a client for one service and one user. Every method throws {@link ReelayApiError}. */
export function createClient(options: ClientOptions): ReelayClient {
  const transport = createTransport(options);
  const get = <Id extends keyof operations>(path: string) => jsonOf<BodyOf<Id>>(transport, { method: 'GET', path });
  const post = <Id extends keyof operations>(path: string, json?: unknown) =>
    jsonOf<BodyOf<Id>>(transport, { method: 'POST', path, json });
  return {
    session: createSession(transport),
    user: createUser(transport),
    notifications: createNotifications(transport),
    accountGroups: createAccountGroups(transport),
    drafts: createDrafts(transport),
    snippets: createSnippets(transport),
    key: {
      info: async () => (await get<'getApiKey'>('/user/api-key')).data,
      generate: async () => (await post<'generateApiKey'>('/user/api-key/generate')).data,
      async revoke() {
        await post<'revokeApiKey'>('/user/api-key/revoke');
      },
    },
    platforms: {
      list: async () => (await get<'platforms'>('/platform/platforms')).data,
      catalog: async () => (await get<'listCatalog'>('/platform/catalog')).data,
      async connect(request) {
        const { attempt, url, accounts } = await post<'connectAccount'>('/accounts/connect', request);
        return { attempt, url, accounts };
      },
      connectSandbox: async (platform) =>
        (await post<'connectSandbox'>('/accounts/connect-sandbox', { platform })).data,
      attempts: async () => (await get<'listAttempts'>('/accounts/attempts')).data,
      attempt: async (id) => (await get<'getAttempt'>(`/accounts/attempts/${encodeURIComponent(id)}`)).data,
      get: async (id) => (await get<'getAccount'>(`/accounts/${encodeURIComponent(id)}`)).data,
      async choose(id, choices) {
        const path = `/accounts/${encodeURIComponent(id)}`;
        return (await jsonOf<BodyOf<'editAccount'>>(transport, { method: 'PATCH', path, json: { choices } })).data;
      },
      form: async (id) => (await get<'getPostForm'>(`/post-forms/${encodeURIComponent(id)}`)).data,
      async refresh(id) {
        const { data, fresh } = await post<'refreshAccount'>(`/dashboard/accounts/${encodeURIComponent(id)}/refresh`);
        return { ...data, fresh };
      },
      async disconnect(id) {
        await jsonOf(transport, { method: 'DELETE', path: `/accounts/${encodeURIComponent(id)}` });
      },
      async setup({ check = false } = {}) {
        const query = check ? { check: 'true' } : {};
        return (await jsonOf<BodyOf<'listSetup'>>(transport, { method: 'GET', path: '/platform/setup', query })).data;
      },
      async setApplication(name, json) {
        await jsonOf(transport, { method: 'PUT', path: `/platform/setup/${encodeURIComponent(name)}`, json });
      },
      async removeApplication(name) {
        await jsonOf(transport, { method: 'DELETE', path: `/platform/setup/${encodeURIComponent(name)}` });
      },
    },
    posts: createPosts(transport, options.pause),
    uploads: createUploads(transport, options.pause),
    rules: createRules(transport),
    operator: createOperator(transport),
    sandbox: createSandbox(transport),
    events: (given) => readEvents(transport, options.pause, given),
    media: (filename) => picture(transport, filename),
  };
}

async function picture(transport: Transport, filename: string): Promise<Blob> {
  const response = await transport({ method: 'GET', path: `/media/${encodeURIComponent(filename)}` });
  return response.blob();
}
