import type { en } from './en/index.ts';
import type { more } from './en/more.ts';

export type Messages = typeof en;
export type MoreMessages = typeof more;

/** A catalog with the keys of another one, and its own texts. */
export type Translation<Catalog> = {
  [Key in keyof Catalog]: Catalog[Key] extends string ? string : Translation<Catalog[Key]>;
};
