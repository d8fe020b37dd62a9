/** What the operator does at a platform to get an application, as data. The page adds redirect URL, scopes and fields. */
import type { FormText } from './post-form.ts';

/**
 * Redirect URLs that a platform accepts. `https`: only https. `https-or-loopback`: also http on this machine.
 * `no-localhost`: http on this machine only by its IP address.
 */
export type RedirectRule = 'https' | 'https-or-loopback' | 'no-localhost';

export interface SetupGuide {
  /** Which application this is, if the platform has several. */
  title?: FormText;
  /** What to create and to set at the platform, in order. */
  steps: readonly FormText[];
  /** What the platform calls the id. */
  id: FormText;
  /** What the platform calls the secret. */
  secret: FormText;
  /** What the platform reviews, and how long that takes if it is known. */
  review: FormText;
  /** What works without the review. Absent: everything. */
  before?: FormText;
}

/** Where an operator registers an application, and how. */
export interface Registration {
  /** The platform's developer console. */
  portal: string;
  /** What the platform reviews before other people may connect, in one sentence. */
  review: string;
  /** Absent: the platform does not restrict redirect URLs further. */
  redirect?: RedirectRule;
  /** By the name of the application. */
  guides?: Readonly<Record<string, SetupGuide>>;
}
