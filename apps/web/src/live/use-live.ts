/** Live updates in components. */
import type { LiveEvent } from '@reelay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { useClient } from '../queries/client.ts';
import { createLive, type FirstStream, type Live } from './live.ts';
import type { LiveState } from './live-machine.ts';
import { connectQueries } from './live-queries.ts';

const LiveContext = createContext<Live | null>(null);
export const LiveProvider = LiveContext.Provider;

/**
 * Opens the live updates of a user while the component is shown.
 * @param onEnded called when the session has ended
 */
export function useLiveConnection(userId: string, first: FirstStream | undefined, onEnded: () => void): Live {
  const client = useClient();
  const queries = useQueryClient();
  const ended = useEffectEvent(onEnded);
  const [live] = useState(() => createLive({ events: client.events, userId, first }));
  useEffect(() => {
    const disconnect = connectQueries(queries, live.onEvent);
    const stop = live.start(() => ended());
    return () => {
      stop();
      disconnect();
    };
  }, [live, queries]);
  return live;
}

function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('There are no live updates around this component.');
  return live;
}

export function useLiveState(): LiveState {
  const live = useLive();
  return useSyncExternalStore(live.onState, live.state);
}

/** How often something is read while changes do not arrive, in ms; false: not at all. */
export function usePolling(intervalMs: number): number | false {
  return useLiveState() === 'down' ? intervalMs : false;
}

/** Calls the listener with every event. */
export function useLiveEvents(listener: (event: LiveEvent) => void): void {
  const live = useLive();
  const latest = useEffectEvent(listener);
  useEffect(() => live.onEvent((event) => latest(event)), [live]);
}
