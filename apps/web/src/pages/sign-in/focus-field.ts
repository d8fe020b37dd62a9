/** A `ref` that focuses a field when it appears, because the previously focused element is gone. */
export const focusField = (field: HTMLInputElement | null): void => field?.focus();
