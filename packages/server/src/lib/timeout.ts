/** Waits for a promise with a timeout. The work continues and its later result is ignored. */

/** Settles like `work`, or with what `onTimeout` returns or throws after `ms` milliseconds. */
export async function withTimeout<T, U>(ms: number, work: Promise<T>, onTimeout: () => U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<U>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(onTimeout());
      } catch (error) {
        reject(error);
      }
    }, ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
