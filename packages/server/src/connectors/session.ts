/** The part of the connector contract that gives a connector access to an account. */
import type { HttpClient } from '../outbound/http-client.ts';
import type { JsonObject } from '../outbound/json.ts';
import type { App } from './kit/app-check.ts';

/** Base URLs by name. For a sandbox account they point to the simulator. */
export type Endpoints = Readonly<Record<string, string>>;

/** The account that a call is made for. */
export interface Session {
  http: HttpClient;
  endpoints: Endpoints;
  settings: Readonly<Record<string, string>>;
  /** Origin of the account's server if the platform has many; else "". */
  service: string;
  remoteId: string;
  username: string;
  extra: JsonObject;
  choices: Record<string, string>;
  /** The current secret, in the form that the connector's own flow created. */
  secret: JsonObject;
  app: App | null;
  /** Applications by name, for {@link OAuthFlow.appNames}. */
  apps: Readonly<Record<string, App | null>>;
  /** True for a simulated account; its delays are short. */
  sandbox: boolean;
  /** Takes one unit from a budget; parks the target if the budget is empty. @throws BudgetEmpty */
  spend(budget: string): Promise<void>;
  /** Counts reads of posts that the platform charged for, as in {@link WatchFlow.charge}. Call it after each response. */
  countReads(reads: number): Promise<void>;
  /** Whole milliseconds since the epoch by the database's clock, which all processes share. */
  now(): number;
}
