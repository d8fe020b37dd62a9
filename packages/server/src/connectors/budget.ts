/** The part of the connector contract about limits on calls. */

/** A limit on calls in a moving window, shared by all nodes. */
export interface Budget {
  name: string;
  /** `account`: counted per identity. `app`: counted for all accounts of the operator's application. */
  scope: 'account' | 'app';
  limit: number;
  windowMs: number;
  /** Effect of an empty budget on a target: a short wait, or the platform's daily cap. */
  kind: 'rate' | 'daily';
  /** Every post takes one use, so what is left is the number of posts. Only with the kind `daily`. */
  countsPosts?: true;
  /** Reading takes the uses, so users who watch accounts share them. Absent: users with open posts do. */
  forReading?: true;
  /** IANA time zone at whose midnight the count resets (`America/Los_Angeles`). Absent: a moving window. */
  dayIn?: string;
}
