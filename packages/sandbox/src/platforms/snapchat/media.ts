/** Encrypted media: created with their key, received in parts, joined, and decrypted. */
import { createDecipheriv, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import { readForm } from '../../http/multipart-form.ts';
import { newSecret } from '../../oauth/tokens.ts';
import { type Chunk, totalBytes } from '../../store/chunks.ts';
import { update } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import { asCaller } from './caller.ts';
import type { Medium, Profile } from './records.ts';
import { badRequest, bodyOf, ok, problem } from './responses.ts';

/**
 * Maximum size in bytes of a request body. Because of the form's overhead, a part of exactly this size is too large.
 */
const MAX_BODY = 32 * 1024 * 1024;
const MAX_TOTAL = 1_000_000_000;
const MAX_PARTS = 35;

export const createMedium = asCaller(async (options, request, { profile }) => {
  const { type, name, key, iv } = await bodyOf(request, ['type', 'name', 'key', 'iv']);
  if (type !== 'VIDEO') throw badRequest('type must be VIDEO.');
  if (typeof name !== 'string' || name === '') throw badRequest('name is missing.');
  if (!isBase64Of(key, 32)) throw badRequest('key must be 32 bytes in base64.');
  if (!isBase64Of(iv, 16)) throw badRequest('iv must be 16 bytes in base64.');
  const medium: Medium = {
    id: randomUUID(),
    profileId: profile.id,
    key: String(key),
    iv: String(iv),
    createdAt: options.now(),
    parts: {},
    finalizedAt: null,
    plain: null,
    postedAt: null,
  };
  await options.store.put('medium', medium.id, medium, profile.id);
  const path = `/us/v1/public_profiles/${profile.id}/media/${medium.id}/multipart-upload`;
  return ok({ media_id: medium.id, add_path: path, finalize_path: path });
});

function isBase64Of(value: unknown, bytes: number): boolean {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  return Buffer.from(value, 'base64').length === bytes;
}

/** @throws Refused if the media does not exist or has expired */
export async function usableMedium(options: SimulatorOptions, profile: Profile, id: string): Promise<Medium> {
  const medium = await options.store.get<Medium>('medium', id);
  if (medium?.profileId !== profile.id) throw await problem(options, 'MEDIA_NOT_FOUND', 'There is no such media.');
  if (options.now() >= medium.createdAt + DAY) throw await problem(options, 'MEDIA_EXPIRED', 'The media has expired.');
  return medium;
}

export const receivePart = asCaller(async (options, request, { profile }) => {
  const medium = await usableMedium(options, profile, request.params.mid ?? '');
  if (Number(request.headers['content-length'] ?? Number.NaN) > MAX_BODY) throw badRequest('Media size is too large');
  const blob = `part/${medium.id}/${newSecret(8)}`;
  const form = await readForm(request, { blobs: options.blobs, key: blob, maxBytes: MAX_BODY });
  const refuse = async (message: string) => {
    if (form?.file) await options.blobs.remove(blob);
    throw badRequest(message);
  };
  if (!form) return refuse('The body is not a form.');
  const action = form.fields.get('action');
  if (action === 'FINALIZE') return form.file ? refuse('No file belongs to FINALIZE.') : finalize(options, medium);
  const number = Number(form.fields.get('part_number'));
  if (action !== 'ADD') return refuse('action must be ADD or FINALIZE.');
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS) return refuse('part_number must be 1 to 35.');
  if (!form.file) return refuse('file is missing.');
  if (form.file.bytes > MAX_BODY) return refuse('Media size is too large');
  if (medium.finalizedAt !== null) return refuse('The upload is finalized.');
  const part = { blob, bytes: form.file.bytes };
  let replaced: string | undefined;
  await options.store.change<Medium>('medium', medium.id, (current) => {
    replaced = current?.parts[number]?.blob;
    return current && { ...current, parts: { ...current.parts, [number]: part } };
  });
  if (replaced) await options.blobs.remove(replaced);
  return ok({});
});

/** Decrypts the parts in order. Finalizing twice has no effect. */
async function finalize(options: SimulatorOptions, medium: Medium): Promise<SimulatorResponse> {
  if (medium.finalizedAt !== null) return ok({});
  const parts = Object.keys(medium.parts)
    .map(Number)
    .sort((a, b) => a - b);
  if (parts.length === 0 || parts.some((number, index) => number !== index + 1))
    throw badRequest('There are parts missing.');
  const blobs = parts.flatMap((number) => medium.parts[number] ?? []);
  if (totalBytes(blobs) > MAX_TOTAL) throw badRequest('Media size is too large');
  const plain = await decipher(options, medium, blobs);
  const finalizedAt = options.now();
  await update<Medium>(options.store, ['medium', medium.id], { plain, finalizedAt });
  for (const { blob } of blobs) await options.blobs.remove(blob);
  return ok({});
}

/** Returns null if the parts do not match the key or the padding. */
async function decipher(
  { blobs }: SimulatorOptions,
  { id, key, iv }: Medium,
  parts: readonly Chunk[],
): Promise<Medium['plain']> {
  const cipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'));
  const blob = `plain/${id}/${newSecret(8)}`;
  const end = { broken: false };
  async function* read(): AsyncGenerator<Buffer> {
    for (const part of parts)
      for await (const bytes of await blobs.get(part.blob)) yield cipher.update(bytes as Uint8Array);
    try {
      yield cipher.final();
    } catch {
      end.broken = true;
    }
  }
  const stored = await blobs.put(blob, Readable.from(read(), { objectMode: false }));
  if (!end.broken) return { blob, ...stored };
  await blobs.remove(blob);
  return null;
}
