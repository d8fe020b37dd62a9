import type { PostForm } from '../kit/post-form.ts';

export const form: PostForm = { fields: { title: { label: { en: 'Title of the reel', de: 'Titel des Reels' } } } };
