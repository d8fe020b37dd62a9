/**
 * Rows that many ask for one by one, read together: whoever asks within one turn of the event loop shares a statement,
 * which is sent after all of them have asked.
 * @param read gives the rows that there are, in any order
 */
export function readTogether<T>(
  read: (ids: readonly string[]) => Promise<T[]>,
  idOf: (row: T) => string,
): (id: string) => Promise<T | undefined> {
  let next: Promise<Map<string, T>> | null = null;
  let asked = new Set<string>();
  const send = async () => {
    const ids = [...asked];
    asked = new Set();
    next = null;
    return new Map((await read(ids)).map((row) => [idOf(row), row]));
  };
  return async (id) => {
    asked.add(id);
    next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(send);
    return (await next).get(id);
  };
}
