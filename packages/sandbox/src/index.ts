/** Simulated posting APIs of social platforms, to test integrations against. */
export type {
  PlatformRefusal,
  PublishedEntry,
  SimulatedAccount,
  SimulatorResponse,
} from './contract.ts';
export type { Fault, FaultHandle, FaultRequest, Faults } from './faults/faults.ts';
export { FAULT_KINDS, type FaultKind, type FaultRule } from './faults/rules.ts';
export type { FeedItem } from './feed/feed.ts';
export type { SandboxPhone, SandboxPhonePost } from './standalone/phone.ts';
export { type RunningSandbox, type SandboxOptions, type SandboxPlatform, startSandbox } from './standalone/sandbox.ts';
