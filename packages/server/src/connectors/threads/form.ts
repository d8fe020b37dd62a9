import type { PostForm } from '../kit/post-form.ts';

export const form: PostForm = {
  fields: {
    replyControl: {
      label: { en: 'Who can reply', de: 'Wer darf antworten?' },
      values: {
        everyone: { en: 'Everyone', de: 'Alle' },
        followers_only: { en: 'Followers', de: 'Follower' },
        accounts_you_follow: { en: 'Profiles you follow', de: 'Profile, denen du folgst' },
        mentioned_only: { en: 'Mentioned profiles', de: 'Erwähnte Profile' },
        parent_post_author_only: { en: 'The author of the post', de: 'Wer den Beitrag geschrieben hat' },
      },
    },
    topicTag: { label: { en: 'Topic', de: 'Thema' }, hint: { en: 'Without “#”.', de: 'Ohne „#“.' } },
    altText: { label: { en: 'Alternative text', de: 'Alternativtext' } },
    spoiler: { label: { en: 'Hide the video as a spoiler', de: 'Video als Spoiler verdecken' } },
  },
};
