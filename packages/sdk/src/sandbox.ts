/** The simulated platforms. All methods require the operator's session. */
import type { components } from './generated/schema.ts';
import { formOf } from './multipart.ts';
import type { OperatorPage, OperatorPageOptions } from './operator.ts';
import { jsonOf, type Transport } from './transport.ts';

export type SandboxStatus = components['schemas']['SandboxStatus'];
export type SandboxFault = SandboxStatus['faults'][number];
export type SandboxPost = components['schemas']['SandboxPost'];

export interface PhonePost {
  platform: string;
  /** The account is created if the platform does not have it. */
  username: string;
  caption?: string;
  /** Default: everybody. */
  audience?: 'public' | 'limited';
  /** MP4 or QuickTime. */
  video: Blob;
}

export interface Sandbox {
  /** The simulated platforms, and the faults that are switched on. */
  status(): Promise<SandboxStatus>;
  /** Newest first. @param options.username an account of `platform` */
  posts(options?: OperatorPageOptions & { platform?: string; username?: string }): Promise<OperatorPage<SandboxPost>>;
  /** Posts as the owner of an account would with the platform's own app, without Reelay. */
  postFromPhone(post: PhonePost): Promise<{ platform: string; username: string; id: string; url?: string }>;
  /** Replaces the faults of all platforms. */
  setFaults(faults: readonly SandboxFault[]): Promise<SandboxFault[]>;
  /** Deletes all posts, videos and accounts of the simulated platforms, of every user. */
  reset(): Promise<void>;
}

export function createSandbox(transport: Transport): Sandbox {
  const path = '/operator/sandbox';
  return {
    status: async () => (await jsonOf<{ data: SandboxStatus }>(transport, { method: 'GET', path })).data,
    async posts(options = {}) {
      const call = { method: 'GET' as const, path: `${path}/posts`, query: { ...options } };
      const { data, next } = await jsonOf<OperatorPage<SandboxPost>>(transport, call);
      return { data, next };
    },
    async postFromPhone({ video, ...fields }) {
      const form = formOf(Object.entries(fields), video);
      const body = await form.body({ onSent: () => {}, onBroken: () => {} });
      const headers = { 'content-type': form.contentType };
      type Posted = { data: Awaited<ReturnType<Sandbox['postFromPhone']>> };
      return (await jsonOf<Posted>(transport, { method: 'POST', path: `${path}/phone`, headers, body })).data;
    },
    setFaults: async (faults) =>
      (
        await jsonOf<{ data: SandboxFault[] }>(transport, {
          method: 'PUT',
          path: `${path}/faults`,
          json: { faults },
        })
      ).data,
    async reset() {
      await jsonOf(transport, { method: 'POST', path: `${path}/reset` });
    },
  };
}
