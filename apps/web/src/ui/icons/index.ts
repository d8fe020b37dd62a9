export * from './generated/index.ts';
export type { Icon } from './icon.ts';
