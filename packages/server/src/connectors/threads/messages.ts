import { platformMessages } from '../kit/messages.ts';

export const { say, messages } = platformMessages({ id: 'threads', name: 'Threads' }, {});
