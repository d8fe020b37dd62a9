/** Interface between the HTTP clients that send a post's form, and the test that runs them. */

/** A form: text fields in this order, and a file between them. */
export interface FormToSend {
  url: string;
  headers: Readonly<Record<string, string>>;
  fields: readonly (readonly [name: string, value: string])[];
  file: { name: string; path: string };
  /** Number of text fields before the file. */
  before: number;
}

export interface SentForm {
  status: number;
  text: string;
}

export interface Sender {
  name: string;
  /** The Debian package that is missing; null if the client can run. */
  missing: string | null;
  /**
   * Sends the forms one after the other.
   * @throws Error if the client fails or gets no response within two minutes
   */
  send(forms: readonly FormToSend[]): Promise<SentForm[]>;
}
