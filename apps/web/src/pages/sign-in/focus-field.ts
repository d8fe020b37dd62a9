/** For the `ref` of a field that takes the focus when it appears: what had it before is gone. */
export const focusField = (field: HTMLInputElement | null): void => field?.focus();
