/** Managing the service: users, queues, storage, checks and the audit log. All methods require the operator's session. */
import type { components } from './generated/schema.ts';
import { jsonOf, type Transport } from './transport.ts';

export type ManagedUser = components['schemas']['ManagedUser'];
export type QueueStatus = components['schemas']['QueueStatus'];
export type StorageStatus = components['schemas']['StorageStatus'];
export type DoctorFinding = components['schemas']['DoctorFinding'];
export type PlatformGuide = components['schemas']['PlatformGuide'];
export type ApplicationCheck = components['schemas']['ApplicationCheck'];
export type AuditEntry = components['schemas']['AuditEntry'];

/** A page of a list; `next` is the cursor of the next page, null on the last. */
export interface OperatorPage<Entry> {
  data: Entry[];
  next: string | null;
}

/** `cursor`: `next` of the previous page. `limit`: entries per page, at most 100. */
export interface OperatorPageOptions {
  cursor?: string;
  limit?: number;
}

export interface Operator {
  /** Newest first. @param options.text part of the email address or of the name */
  users(options?: OperatorPageOptions & { text?: string }): Promise<OperatorPage<ManagedUser>>;
  /** Data beyond the new plan's limits stays. */
  setPlan(userId: string, plan: ManagedUser['plan']): Promise<void>;
  /** Rejects all further requests of the user. Scheduled posts are still published. */
  suspend(userId: string): Promise<void>;
  resume(userId: string): Promise<void>;
  queues(): Promise<QueueStatus>;
  storage(): Promise<StorageStatus>;
  /** Runs the checks of `reelay doctor`. Takes several seconds. */
  runDoctor(): Promise<DoctorFinding[]>;
  /** How to set up a platform, and what depends on it. */
  platformSetup(platform: string): Promise<PlatformGuide>;
  /**
   * Asks the platform whether it accepts an id and a secret. Nothing is stored.
   * @param name of the application, as in {@link PlatformGuide}
   * @param application default: the one that is set
   */
  checkApplication(
    platform: string,
    name: string,
    application?: { clientId: string; clientSecret: string },
  ): Promise<ApplicationCheck>;
  /** Newest first. @param options.userId only entries of this user */
  audit(options?: OperatorPageOptions & { userId?: string }): Promise<OperatorPage<AuditEntry>>;
}

export function createOperator(transport: Transport): Operator {
  const get = <Body>(path: string, query?: OperatorPageOptions & Record<string, string | number | undefined>) =>
    jsonOf<Body>(transport, { method: 'GET', path, ...(query && { query }) });
  const page = async <Entry>(
    path: string,
    query: OperatorPageOptions & Record<string, string | number | undefined>,
  ) => {
    const { data, next } = await get<OperatorPage<Entry>>(path, query);
    return { data, next };
  };
  const pathOf = (userId: string, action: string) => `/operator/users/${encodeURIComponent(userId)}/${action}`;
  return {
    users: (options = {}) => page<ManagedUser>('/operator/users', { ...options }),
    async setPlan(userId, plan) {
      await jsonOf(transport, { method: 'PUT', path: pathOf(userId, 'plan'), json: { plan } });
    },
    async suspend(userId) {
      await jsonOf(transport, { method: 'POST', path: pathOf(userId, 'suspend') });
    },
    async resume(userId) {
      await jsonOf(transport, { method: 'POST', path: pathOf(userId, 'resume') });
    },
    queues: async () => (await get<{ data: QueueStatus }>('/operator/queues')).data,
    storage: async () => (await get<{ data: StorageStatus }>('/operator/storage')).data,
    runDoctor: async () =>
      (await jsonOf<{ data: DoctorFinding[] }>(transport, { method: 'POST', path: '/operator/doctor' })).data,
    platformSetup: async (platform) =>
      (await get<{ data: PlatformGuide }>(`/operator/setup/${encodeURIComponent(platform)}`)).data,
    async checkApplication(platform, name, application) {
      const path = `/operator/setup/${encodeURIComponent(platform)}/${encodeURIComponent(name)}/check`;
      const json = { application: application ?? null };
      return (await jsonOf<{ data: ApplicationCheck }>(transport, { method: 'POST', path, json })).data;
    },
    audit: (options = {}) => page<AuditEntry>('/operator/audit', { ...options }),
  };
}
