/** SQL: the text of a target `t` of the post `p`: its own caption, else the post's description. */
export const TARGET_TEXT = 'coalesce(t.caption, p.description)';
