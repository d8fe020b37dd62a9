import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'instagram', name: 'Instagram' },
  {
    accounts_missing:
      'No selected Page has a professional Instagram account that you may post on. Link one in its settings.',
    account_personal:
      'Instagram allows only professional accounts to post through its API. Switch the account to Business or Creator.',
    revocation_unavailable:
      'Instagram has no way for an application to end its access. Remove the application in Instagram’s settings.',
    too_many_hashtags: 'Instagram allows at most {limit} {limit|hashtag|hashtags} in a text.',
    too_many_mentions: 'Instagram allows at most {limit} {limit|mention|mentions} in a text.',
    trials_not_allowed: 'Instagram does not allow trial reels on this account.',
  },
);
