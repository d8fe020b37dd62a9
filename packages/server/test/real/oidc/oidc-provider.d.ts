/** Types for the part of oidc-provider that the tests use, because the package has none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Payload {
    [name: string]: unknown;
    grantId?: string;
    uid?: string;
    /** Seconds since the epoch. */
    exp?: number;
  }

  export interface Adapter {
    upsert(id: string, payload: Payload, expiresIn: number): Promise<void>;
    find(id: string): Promise<Payload | undefined>;
    findByUid(uid: string): Promise<Payload | undefined>;
    findByUserCode(code: string): Promise<Payload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  interface Grant {
    addOIDCScope(scopes: string): void;
    rejectOIDCScope(scopes: string): void;
    save(): Promise<string>;
  }

  interface Interaction {
    uid: string;
    params: Record<string, string | undefined>;
  }

  interface Context {
    status: number;
    body: Record<string, unknown>;
    oidc?: { route: string; entities: { Account?: { accountId: string } } };
  }

  export const interactionPolicy: {
    base(): { add(prompt: object): void };
    Prompt: new (prompt: { name: string; requestable: boolean }) => object;
  };

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    on(event: 'server_error', listener: (context: unknown, error: Error) => void): this;
    Grant: new (values: {
      accountId: string;
      clientId: string;
    }) => Grant;
    AccessToken: {
      find(token: string): Promise<{ accountId: string; isExpired: boolean; scope?: string } | undefined>;
    };
  }
}
