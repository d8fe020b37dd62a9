/** Three-valued logic. `either` means that the documents allow both. */

export type Certainty = 'yes' | 'no' | 'either';

/** `yes` if all are `yes`, `no` if one is `no`. */
export function all(...values: readonly Certainty[]): Certainty {
  if (values.includes('no')) return 'no';
  return values.includes('either') ? 'either' : 'yes';
}

/** `yes` if one is `yes`, `no` if all are `no`. */
export function any(...values: readonly Certainty[]): Certainty {
  if (values.includes('yes')) return 'yes';
  return values.includes('either') ? 'either' : 'no';
}

/** Whether `value` is at most `bound`; `either` within `tolerance` of the bound. */
export function atMost(value: number, bound: number, tolerance: number): Certainty {
  if (value <= bound - tolerance) return 'yes';
  return value > bound + tolerance ? 'no' : 'either';
}

/** The value if both are equal, else `either`. For two readings of the documents. */
export function agree(a: Certainty, b: Certainty): Certainty {
  return a === b ? a : 'either';
}
