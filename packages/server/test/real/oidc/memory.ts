/** In-memory storage of the authorization server, by kind and id, with its own adjustable clock. */
import type { Adapter, Payload } from 'oidc-provider';

export interface Memory {
  /** Storage adapter of one kind, for oidc-provider. */
  drawer(kind: string): Adapter;
  /** Ages everything stored by `ms`. */
  age(ms: number): void;
  /** Revokes all grants so far, as a user does in a platform's settings. */
  revokeAll(): void;
}

export function createMemory(): Memory {
  const kept = new Map<string, Payload>();
  const forget = (isMeant: (key: string, payload: Payload) => boolean) => {
    for (const [key, payload] of kept) if (isMeant(key, payload)) kept.delete(key);
  };
  const drawer = (kind: string): Adapter => {
    const keyOf = (id: string) => `${kind}:${id}`;
    const findWhere = async (isMeant: (payload: Payload) => boolean) =>
      [...kept].find(([key, payload]) => key.startsWith(keyOf('')) && isMeant(payload))?.[1];
    return {
      upsert: async (id, payload) => void kept.set(keyOf(id), payload),
      find: async (id) => kept.get(keyOf(id)),
      findByUid: (uid) => findWhere((payload) => payload.uid === uid),
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = kept.get(keyOf(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void kept.delete(keyOf(id)),
      revokeByGrantId: async (grantId) =>
        forget((key, payload) => key.startsWith(keyOf('')) && payload.grantId === grantId),
    };
  };
  return {
    drawer,
    age(ms) {
      for (const payload of kept.values()) if (payload.exp !== undefined) payload.exp -= ms / 1000;
    },
    revokeAll: () => forget((_key, payload) => payload.grantId !== undefined),
  };
}
