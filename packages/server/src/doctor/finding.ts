/** A result of one check of the doctor. `note`: worth knowing, but nothing is broken. */
export interface Finding {
  verdict: 'ok' | 'note' | 'fail';
  text: string;
}
