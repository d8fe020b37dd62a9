/**
 * The declaration of a sign-in operation. better-auth defines its path below `/api/auth`, its responses and its error
 * codes, so it is not an operation of the API. Routing, validation, limits and the OpenAPI document use this one list.
 */
import type { z } from 'zod';
import type { AuthRoute } from '../users/auth-route.ts';

export interface SignInOperation extends AuthRoute {
  /** The operationId, if it has a description; also the name of the file. */
  id: string;
  /** Description for the OpenAPI document; absent if it is not listed there. */
  document?: SignInDescription;
}

export interface SignInDescription {
  summary: string;
  description: string;
  /** Whether the request has a session. */
  session: 'none' | 'optional' | 'required';
  /** The body that clients send; absent without one. */
  body?: z.ZodType;
  success: {
    description: string;
    /** What `Set-Cookie` does; absent without one. */
    cookie?: string;
    content: z.ZodType;
  };
}

/** Declares a sign-in operation. */
export function signInOperation(definition: SignInOperation): SignInOperation {
  return Object.freeze(definition);
}
