/** Local times of `datetime-local` fields. Pure. */

/** @param ms since the epoch */
export function fieldTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** In ms since the epoch; null if the field is empty. */
export function momentOf(field: string): number | null {
  const ms = new Date(field).getTime();
  return Number.isNaN(ms) ? null : ms;
}
