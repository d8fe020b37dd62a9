import { useConnection } from '@xyflow/react';
import { useEffect } from 'react';

/** Reports the account under the pointer while an arrow is dragged. */
export function HoveredAccount({ onHover }: { onHover(id: string | null): void }) {
  const over = useConnection(({ inProgress, toNode }) => (inProgress ? (toNode?.id ?? null) : null));
  useEffect(() => onHover(over), [over, onHover]);
  return null;
}
