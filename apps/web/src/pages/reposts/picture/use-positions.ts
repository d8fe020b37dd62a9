import { useLocalStorage } from '@mantine/hooks';
import type { Position } from './layout.ts';
import { type Positions, parsePositions } from './positions.ts';

interface MovedAccounts {
  moved: Positions;
  move(id: string, position: Position): void;
  reset(): void;
}

/** Positions to which the user moved accounts, stored in the browser. */
export function useMovedAccounts(): MovedAccounts {
  const [moved, setMoved] = useLocalStorage<Positions>({
    key: 'reelay-rule-picture',
    defaultValue: {},
    getInitialValueInEffect: false,
    deserialize: parsePositions,
  });
  return {
    moved,
    move: (id, position) => setMoved((before) => ({ ...before, [id]: position })),
    reset: () => setMoved({}),
  };
}
