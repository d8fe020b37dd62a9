import type { Message } from '../../messages/message.ts';

/** A result of one check of the doctor. `note`: worth knowing, but nothing is broken. */
export interface Finding {
  verdict: 'ok' | 'note' | 'fail';
  message: Message;
}
