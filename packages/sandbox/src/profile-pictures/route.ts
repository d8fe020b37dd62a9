/** Serves the profile pictures of accounts. */
import { Readable } from 'node:stream';
import type { Route, SimulatorOptions, SimulatorResponse } from '../contract.ts';
import { drawProfilePicture, type PictureSubject } from './drawing.ts';

/** Media type of profile pictures. */
export const PICTURE_TYPE = 'image/png';

/** Returns the account's id in the file name of a picture, which may end in `.png`. */
export function pictureId(file = ''): string {
  return file.replace(/\.png$/, '');
}

/** Returns the picture of an account. */
export function pictureResponse(subject: PictureSubject): SimulatorResponse {
  const bytes = drawProfilePicture(subject);
  return {
    status: 200,
    headers: { 'content-type': PICTURE_TYPE, 'content-length': String(bytes.length) },
    body: Readable.from([bytes]),
  };
}

/**
 * Returns the route of accounts' pictures, whose path contains the file name (`:id`): {@link pictureId}.
 * @param kind kind of the accounts' records
 */
export function pictureRoute<Account>(
  { store }: SimulatorOptions,
  path: string,
  kind: string,
  subjectOf: (account: Account) => PictureSubject,
): Route {
  return {
    method: 'GET',
    path,
    async handle({ params }) {
      const account = await store.get<Account>(kind, pictureId(params.id));
      return account === undefined ? { status: 404 } : pictureResponse(subjectOf(account));
    },
  };
}
