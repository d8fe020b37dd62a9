/** Classifies database errors: temporary ones, which may be retried, and our own mistakes. */
import { ReelayError } from '../errors/reelay-error.ts';

/** SQLSTATE of a database error, the code of a network error, or "". */
export function sqlState(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** Name of the violated constraint, or "". */
export function brokenConstraint(error: unknown): string {
  const name = (error as { constraint?: unknown } | null)?.constraint;
  return typeof name === 'string' ? name : '';
}

/**
 * Returns whether the error is a deadlock or serialization failure: the transaction was rolled back and may be retried
 * at once.
 */
export function isConflict(error: unknown): boolean {
  return sqlState(error) === '40P01' || sqlState(error) === '40001';
}

/**
 * SQLSTATE classes with a cause outside the statement, in this order: connection exceptions, rollbacks the statement
 * did not cause, insufficient resources (such as a full disk), and errors of the server's operating system.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const PASSING_CLASSES: readonly string[] = ['08', '40', '53', '58'];
const PASSING_STATES: ReadonlySet<string> = new Set([
  '25006', // read-only: connected to a standby, or to a previous primary after a failover
  '25P03', // idle in a transaction for too long
  '25P04', // transaction timeout
  '28000', // rejected by pg_hba.conf: its rules can change during a failover
  '28P01', // wrong password: rotated on the server, not yet here
  '3D000', // no such database: it is being restored
  '55P03', // lock timeout, if an operator set one
  '57014', // canceled: by statement_timeout, or by an operator
  '57P01', // shut down by an administrator
  '57P02', // crash
  '57P03', // starting up, shutting down, or in recovery
  '57P04', // the database was dropped: it is being restored
  '57P05', // idle session timeout
]);
/** Class 40 also includes a trigger's raised action and a broken statement, for which a retry is useless. */
const LASTING_STATES: ReadonlySet<string> = new Set(['40002', '58P01', '58P02', '58P03']);

const NETWORK_CODES: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOTCONN',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ETIMEDOUT',
]);
/** These codes indicate the database only while connecting; file operations use them too. */
const CONNECT_CODES: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE', 'EAGAIN']);

/** Driver errors without a code. */
const DRIVER_MESSAGES =
  /^Connection terminated|^timeout exceeded when trying to connect|^timeout expired$|^Client has encountered a connection error|^Client was closed and is not queryable|^Cannot use a pool after|^There was an error establishing an SSL connection/;

/** Returns whether the same statement may succeed later. */
export function isPassing(error: unknown): boolean {
  const code = sqlState(error);
  if (LASTING_STATES.has(code)) return false;
  if (PASSING_STATES.has(code) || NETWORK_CODES.has(code)) return true;
  if (CONNECT_CODES.has(code)) return (error as { syscall?: unknown }).syscall === 'connect';
  if (/^[0-9A-Z]{5}$/.test(code) && PASSING_CLASSES.includes(code.slice(0, 2))) return true;
  return error instanceof Error && DRIVER_MESSAGES.test(error.message);
}

/** Returns whether the error means that the database is unavailable, as {@link asUnavailable} made it. */
export function isAway(error: unknown): boolean {
  return error instanceof ReelayError && error.code === 'database_unavailable';
}

/** Converts a temporary database error to `database_unavailable`. Other errors are unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ReelayError || !isPassing(error)) return error;
  return new ReelayError('database_unavailable', undefined, { cause: error });
}
