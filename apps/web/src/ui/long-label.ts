/** Styles that let a button's label wrap on a narrow screen. */
export const LONG_LABEL = {
  root: { height: 'auto', minHeight: 'max(var(--button-height), var(--least-target))', paddingBlock: 6 },
  label: { whiteSpace: 'normal' },
} as const;
