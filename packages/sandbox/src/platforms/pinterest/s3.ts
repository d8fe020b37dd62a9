/** The upload storage: an S3 POST form with XML errors, which requires the file after all fields. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { readForm } from '../../http/multipart-form.ts';
import { newSecret } from '../../oauth/tokens.ts';
import type { Medium } from './records.ts';

const MAX_BYTES = 2 * 1024 ** 3;

/** `POST /s3/`. One request carries the whole file; a later upload replaces it. */
export async function receiveForm(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const { store, blobs, now } = options;
  if (request.headers['content-length'] === undefined)
    return xml(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  if (request.headers.authorization !== undefined)
    return xml(400, 'InvalidArgument', 'Only one auth mechanism allowed.');
  const blob = `s3/${newSecret(12)}`;
  // S3 ignores fields after the file, and the official sample sends its file without a file name.
  const form = await readForm(request, { blobs, key: blob, maxBytes: MAX_BYTES, nameless: true, fileLast: true });
  if (!form) return xml(400, 'MalformedPOSTRequest', 'The body of your POST request is not well-formed.');
  const refuse = async (status: number, code: string, message: string) => {
    await blobs.remove(blob);
    return xml(status, code, message);
  };
  if (!form.file) return refuse(400, 'InvalidArgument', 'POST requires exactly one file upload per request.');
  const id = form.fields.get('key')?.split(':').at(-1) ?? '';
  const medium = await store.get<Medium>('medium', id);
  if (!medium || !sameFields(form.fields, medium.parameters))
    return refuse(403, 'AccessDenied', 'Invalid according to Policy.');
  if (now() >= medium.expiresAt) return refuse(400, 'ExpiredToken', 'The provided token has expired.');
  const { bytes, sha256 } = form.file;
  if (bytes > MAX_BYTES) return refuse(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size.');
  let replaced: string | undefined;
  await store.change<Medium>('medium', id, (current) => {
    replaced = current?.file?.blob;
    return current && { ...current, file: { blob, bytes, sha256 }, uploadedAt: now() };
  });
  if (replaced) await blobs.remove(replaced);
  return { status: 204 };
}

function sameFields(given: Map<string, string>, wanted: Record<string, string>): boolean {
  const names = Object.keys(wanted);
  return given.size === names.length && names.every((name) => given.get(name) === wanted[name]);
}

function xml(status: number, code: string, message: string): SimulatorResponse {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>${newSecret(9)}</RequestId></Error>`,
  };
}
