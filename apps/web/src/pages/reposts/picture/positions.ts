/** Where the user moved accounts in the picture. Kept in the browser. */
import type { Position } from './layout.ts';

export type Positions = Readonly<Record<string, Position>>;

/** Reads stored positions. What is missing or of a wrong type is left out. */
export function parsePositions(text: string | null | undefined): Positions {
  let stored: Record<string, unknown>;
  try {
    stored = Object(JSON.parse(text ?? '{}')) as Record<string, unknown>;
  } catch {
    return {};
  }
  const entries = Object.entries(stored).flatMap(([id, value]): [string, Position][] => {
    const { x, y } = Object(value) as Partial<Record<string, unknown>>;
    return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x + y) ? [[id, { x, y }]] : [];
  });
  return Object.fromEntries(entries);
}
