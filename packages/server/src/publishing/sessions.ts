import type { Capabilities, Connector, Session } from '../connectors/contract.ts';
import type { Failure } from '../connectors/kit/failure.ts';

/** An account ready to be acted on. */
export interface OpenAccount {
  connector: Connector;
  session: Session;
  capabilities: Capabilities;
  /** How long its access lives from when it was opened, in ms; null: it does not end by itself. */
  accessLeftMs: number | null;
}

/** Where the publisher gets its sessions from. */
export interface SessionSource {
  /** What is to be known of a platform whether its accounts can be opened or not. */
  connector(platform: string): Connector;
  /**
   * Opens a connected account with a token that lives at least `minLifeMs` longer, refreshing it when needed.
   * @throws PlatformError `reconnect` when only the user can mend it, `transient` when it is worth waiting
   */
  open(
    accountId: string,
    options: { minLifeMs: number; spend: (budget: string) => Promise<void> },
  ): Promise<OpenAccount>;
  /** The platform said that the access token is no good although it should be: get a new one. @throws PlatformError */
  refresh(accountId: string): Promise<void>;
  /** The platform refused the account in a way that only the user can mend. */
  refused(accountId: string, failure: Failure): Promise<void>;
}
