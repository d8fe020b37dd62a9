/** Waits for a promise, but not longer than a limit. The work itself goes on; what it comes to later is dropped. */

/**
 * Settles like `work`, or as `onTimeout` returns or throws after `ms`.
 * @param ms milliseconds
 */
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
