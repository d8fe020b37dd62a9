/** Values that are kept for a while because making them costs much: those used last, and no more than so many. */
export interface Kept<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** @param most how many; one more, and the one that nobody asked for the longest is gone */
export function createKept<Value>(most: number): Kept<Value> {
  // A Map tells its keys in the order in which they were set.
  const values = new Map<string, Value>();
  const set = (key: string, value: Value) => {
    values.delete(key);
    values.set(key, value);
    const [oldest] = values.keys();
    if (values.size > most && oldest !== undefined) values.delete(oldest);
  };
  return {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
  };
}
