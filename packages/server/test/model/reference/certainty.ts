/** Three-valued logic. `either` means that the documents allow both. */

export type Certainty = 'yes' | 'no' | 'either';

/** `yes` if all are `yes`, `no` if one is `no`. */
export function all(...values: readonly Certainty[]): Certainty {
  if (values.includes('no')) return 'no';
  return values.includes('either') ? 'either' : 'yes';
}

/** The value if both are equal, else `either`. For two readings of the documents. */
export function agree(a: Certainty, b: Certainty): Certainty {
  return a === b ? a : 'either';
}
