import type { Context } from '../context.ts';
import { operationFor } from '../http/operation.ts';

/** Declares an operation of the service. */
export const operation = operationFor<Context>();
