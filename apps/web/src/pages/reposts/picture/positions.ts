/** Positions to which the user moved accounts in the picture, stored in the browser. */
import type { Position } from './layout.ts';

export type Positions = Readonly<Record<string, Position>>;

/** Parses stored positions. Missing fields and wrong types are ignored. */
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
