/** Keys in `localStorage`. */

/** The id of the user whose data the browser keeps. */
export const OWNER = 'reelay-owner';
/** Prefixes of keys that end with the id of their user. */
export const PREFIXES = ['reelay-draft-', 'reelay-account-groups-'];
