import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'threads', name: 'Threads' },
  {
    too_many_links: 'Threads allows at most {limit} different {limit|link|links} in a text.',
    failed_without_reason:
      'Threads gave no reason. Often it could not fetch the video: check that PUBLIC_URL is reachable over HTTPS from the internet and that nothing in front of it blocks Meta’s servers. Otherwise, check the video.',
  },
);
