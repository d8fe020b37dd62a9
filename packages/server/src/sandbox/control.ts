/** What the operator can do with the sandbox: read its posts, post from the phone, inject faults, and reset it. */
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { FAULT_KINDS, type FaultRule } from '@reelay/sandbox/faults/rules.ts';
import { type PhoneDeps, postFromPhone, Rejected } from '@reelay/sandbox/feed/phone.ts';
import { bytesBelow, SANDBOX_BYTES, SandboxFull } from '@reelay/sandbox/store/quota.ts';
import type { Database } from '../db/database.ts';
import { apiError } from '../errors/reelay-error.ts';
import { fieldProblem } from '../messages/fields.ts';
import type { FaultSwitches } from './fault-switches.ts';
import { type PublishedFilter, publishedPage } from './published-pages.ts';

/** A fault that every request to a platform meets, or a share of them. */
export interface FaultSwitch {
  platform: string;
  kind: string;
  /** From 0 to 1. */
  share: number;
}

export interface SandboxControl {
  /** Names of the simulated platforms. */
  platforms: readonly string[];
  /** Kinds of faults that can be switched on. */
  kinds: readonly string[];
  maxBytes: number;
  usedBytes(): Promise<number>;
  posts(filter: PublishedFilter): ReturnType<typeof publishedPage>;
  faults(): Promise<FaultSwitch[]>;
  /** Replaces all switches. @throws ReelayError `invalid_request` for an unknown platform or kind */
  setFaults(switches: readonly FaultSwitch[]): Promise<void>;
  /** Publishes the video of a form. @throws ReelayError `invalid_request`, `storage_full` */
  phone(request: IncomingMessage): Promise<{ platform: string; username: string; id: string; url?: string }>;
  /** Deletes all records and videos of the simulators, and all faults. */
  reset(): Promise<void>;
}

interface Deps {
  db: Database;
  storageFolder: string;
  maxBytes?: number | undefined;
  switches: FaultSwitches;
  phone: PhoneDeps;
}

export function createSandboxControl({ db, storageFolder, maxBytes, switches, phone }: Deps): SandboxControl {
  const folder = join(storageFolder, 'sandbox');
  const { platforms } = phone;
  return {
    platforms,
    kinds: FAULT_KINDS,
    maxBytes: maxBytes ?? SANDBOX_BYTES,
    usedBytes: () => bytesBelow(folder),
    posts: (filter) => publishedPage(db, filter),
    faults: async () =>
      (await switches.read()).map(({ platform = '', kind, share = 1 }) => ({ platform, kind, share })),
    async setFaults(given) {
      await switches.write(given.map((each) => ruleOf(each, platforms)));
    },
    async phone(request) {
      try {
        return await postFromPhone(phone, request);
      } catch (error) {
        if (error instanceof SandboxFull) throw apiError('sandbox_full');
        throw error instanceof Rejected ? apiError('phone_rejected', { reason: error.message }) : error;
      }
    },
    async reset() {
      await db.transaction(async (tx) => {
        await tx.execute('delete from sandbox.item');
        await tx.execute('delete from sandbox.published');
      });
      await rm(folder, { recursive: true, force: true });
      await switches.read();
    },
  };
}

function ruleOf({ platform, kind, share }: FaultSwitch, platforms: readonly string[]): FaultRule {
  const known = FAULT_KINDS.find((each) => each === kind);
  if (!known)
    throw apiError('field_invalid', {
      name: 'kind',
      problem: fieldProblem('not_one_of', { allowed: FAULT_KINDS.join(', ') }),
    });
  if (!platforms.includes(platform))
    throw apiError('field_invalid', {
      name: 'platform',
      problem: fieldProblem('not_one_of', { allowed: platforms.join(', ') }),
    });
  return { platform, kind: known, share };
}
