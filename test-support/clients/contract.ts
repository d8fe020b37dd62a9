/** Interface between the programs that drive a simulator with a client library, and the tests that run them. */
import type { RunningSimulator, SimulatorOverrides } from '../../packages/sandbox/test/harness/simulator.ts';

/** All client libraries of one platform's users. */
export interface ClientSuite {
  /** Hosts of the platform that the libraries call (`api.example.com`). Their requests go to the simulator. */
  hosts: readonly string[];
  clients: readonly Client[];
}

export interface Client {
  /** Name of the npm package. */
  name: string;
  /** Options of the simulator. Default: as in the sandbox. */
  options?: SimulatorOverrides;
  /** Uses the library as an application does. Each request of the application is one {@link ClientWorld.call}. */
  drive(world: ClientWorld): Promise<void>;
}

export interface ClientWorld {
  /** At the root of `simulator.url`. */
  simulator: RunningSimulator;
  /** The registered application. */
  app: { clientId: string; clientSecret: string };
  /** Redirect URI of the application. Nothing listens there. */
  redirectUri: string;
  /** Path of a valid video, `video.mp4`. */
  video: string;
  /**
   * Opens a URL as the user's browser does, gives the consent that the page asks for, and stops at the redirect to
   * {@link ClientWorld.redirectUri}.
   * @param fields values of the form, by name; others keep their default
   * @returns the URL of the redirect
   */
  consent(url: string | URL, fields?: Readonly<Record<string, string>>): Promise<URL>;
  /**
   * Runs and counts one call of a library. An error is reported with the name and thrown again.
   * @param name as users of the library know it, such as `videos.insert`
   */
  call<T>(name: string, run: () => T | Promise<T>): Promise<T>;
  /**
   * Runs and counts a call that must fail, because the library and the platform's documentation disagree.
   * @param reason is printed
   * @throws Error if the call works
   */
  differs(name: string, reason: string, run: () => unknown): Promise<void>;
}

/** The calls of one client, for the table. */
export interface ClientResult {
  platform: string;
  client: string;
  worked: number;
  tried: number;
  /** Why calls did not work: `NAME: REASON`. */
  reasons: string[];
}
