import type { en } from './en/index.ts';

export type Messages = typeof en;

/** A catalog with the keys of another, and texts of its own. */
export type Translation<Catalog> = {
  [Key in keyof Catalog]: Catalog[Key] extends string ? string : Translation<Catalog[Key]>;
};
