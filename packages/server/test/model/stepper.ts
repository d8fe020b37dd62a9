/** Runs an asynchronous job step by step. A job that is not continued has crashed. */
export interface Stepper {
  /** Runs to the next step. @returns false once the job has ended */
  step(): Promise<boolean>;
}

/** Waits for the next step. */
export type Gate = () => Promise<void>;

/** @param job awaits `gate` before each step but the first */
export function createStepper(job: (gate: Gate) => Promise<void>): Stepper {
  let open: (() => void) | null = null;
  let reached = Promise.withResolvers<boolean>();
  const gate = () => {
    reached.resolve(true);
    return new Promise<void>((resolve) => {
      open = resolve;
    });
  };
  let isStarted = false;
  return {
    step() {
      reached = Promise.withResolvers();
      if (isStarted) open?.();
      else {
        isStarted = true;
        job(gate).then(
          () => reached.resolve(false),
          (error) => reached.reject(error),
        );
      }
      return reached.promise;
    },
  };
}
