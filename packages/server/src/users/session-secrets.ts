/**
 * The secrets of better-auth. Each has a version that is derived from it, so that a stored value names its secret on
 * every node and after any number of rotations.
 */
import { createHash } from 'node:crypto';
import type { Secrets } from '../config/secrets.ts';

export interface VersionedSecret {
  version: number;
  value: string;
}

/** The current secret first; the others only decrypt. */
export function versionedSecrets({ session, previousSessions }: Pick<Secrets, 'session' | 'previousSessions'>) {
  return [session, ...previousSessions].map((value): VersionedSecret => {
    const digest = createHash('sha256').update(`version ${value}`).digest();
    return { version: digest.readUInt32BE(0), value };
  });
}

/** The same secrets as {@link versionedSecrets}, in the form that better-auth's functions take. */
export function libraryKey(secrets: Pick<Secrets, 'session' | 'previousSessions'>) {
  const versions = versionedSecrets(secrets);
  return {
    keys: new Map(versions.map(({ version, value }) => [version, value])),
    currentVersion: versions[0]?.version ?? 0,
  };
}
