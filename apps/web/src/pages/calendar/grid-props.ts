import type { Zone } from '../../time/zone-time.ts';
import type { Entry } from './entries.ts';
import type { Drop } from './moves.ts';
import type { ZoneText } from './zone-text.ts';

/** The props of the month grid and the week grid. */
export interface GridProps {
  /** A day in the shown range. */
  date: string;
  entries: readonly Entry[];
  zone: Zone;
  text: ZoneText;
  /** ms since the epoch. */
  now: number;
  dragged: Entry | null;
  onDrag(entry: Entry): void;
  onDrop(entry: Entry, drop: Drop): void;
  /** Starts a post. @param at ms since the epoch */
  onCreate(at: number): void;
  onChangeTime(entry: Entry): void;
  onDay(day: string): void;
}
