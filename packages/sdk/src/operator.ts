/** Managing the service: users, queues, storage, checks and the audit log. All methods require the operator's session. */
import type { components } from './generated/schema.ts';
import { jsonOf, type Transport } from './transport.ts';

export type ManagedUser = components['schemas']['ManagedUser'];
export type QueueStatus = components['schemas']['QueueStatus'];
export type StorageStatus = components['schemas']['StorageStatus'];
export type DoctorFinding = components['schemas']['DoctorFinding'];
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
  /** Newest first. @param options.userId only entries of this user */
  audit(options?: OperatorPageOptions & { userId?: string }): Promise<OperatorPage<AuditEntry>>;
}

export function createOperator(transport: Transport): Operator {
  const get = <Answer>(path: string, query?: OperatorPageOptions & Record<string, string | number | undefined>) =>
    jsonOf<Answer>(transport, { method: 'GET', path, ...(query && { query }) });
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
    audit: (options = {}) => page<AuditEntry>('/operator/audit', { ...options }),
  };
}
