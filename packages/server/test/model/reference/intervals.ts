/** Pure functions on lists of half-open intervals. */

import type { Interval, Time } from './facts.ts';

/** An interval with both ends. */
export interface Span {
  from: Time;
  to: Time;
}

/** The intervals as sorted spans that do not touch. Open ends become `end`. */
export function merge(intervals: readonly Interval[], end: Time): Span[] {
  const spans = intervals
    .map(({ from, to }) => ({ from, to: to ?? end }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

/** The parts that both lists cover. */
export function intersect(a: readonly Span[], b: readonly Span[]): Span[] {
  return a
    .flatMap((x) => b.map((y) => ({ from: Math.max(x.from, y.from), to: Math.min(x.to, y.to) })))
    .filter(({ from, to }) => from < to)
    .sort((x, y) => x.from - y.from);
}

/** The parts of `a` that `b` does not cover. */
export function subtract(a: readonly Span[], b: readonly Span[]): Span[] {
  let rest = a.map((span) => ({ ...span }));
  for (const hole of b) {
    rest = rest.flatMap((span) =>
      [
        { from: span.from, to: Math.min(span.to, hole.from) },
        { from: Math.max(span.from, hole.to), to: span.to },
      ].filter(({ from, to }) => from < to),
    );
  }
  return rest;
}

/** Whether one of the spans contains the time. */
export function contains(spans: readonly Span[], time: Time): boolean {
  return spans.some(({ from, to }) => from <= time && time < to);
}

/** Whether one of the spans touches the time window, both ends included. */
export function overlaps(spans: readonly Span[], from: Time, to: Time): boolean {
  return spans.some((span) => span.from <= to && from <= span.to);
}

/**
 * The earliest time at which the spans have covered `lengthMs` without a break since `after`.
 * null if that does not happen.
 */
export function stretchEnd(spans: readonly Span[], after: Time, lengthMs: number): Time | null {
  for (const span of spans) {
    const start = Math.max(span.from, after);
    if (start + lengthMs <= span.to) return start + lengthMs;
  }
  return null;
}
