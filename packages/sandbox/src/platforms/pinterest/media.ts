/** Registration of media and their processing status. */
import type { SimulatorOptions } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { newSecret } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { ownedBy } from '../../store/records.ts';
import { HOUR } from '../../time.ts';
import { asCaller } from './caller.ts';
import { type Account, type Medium, newId, settingsOf } from './records.ts';
import { bodyOf, invalid, ok, paged, refusal } from './responses.ts';

export const registerMedium = asCaller(['pins:write'], async (options, request, { account }) => {
  const body = await bodyOf(request);
  if (body.media_type !== 'video' || Object.keys(body).length > 1)
    throw new Refused(invalid(`${JSON.stringify(body).slice(0, 200)} is not valid under any of the given schemas`));
  const { id, parameters } = await register(options, account);
  const uploadUrl = `${options.baseUrl}/s3/`;
  return ok({ media_id: id, media_type: 'video', upload_url: uploadUrl, upload_parameters: parameters }, 201);
});

export const showMedium = asCaller(['pins:read'], async (options, { params }, { account }) =>
  ok(mediumJson(options, await ownMedium(options, account, params.id))),
);

export const listMedia = asCaller(['pins:read'], async (options, request, { account }) => {
  const all = await ownedBy<Medium>(options, 'medium', account.id);
  return paged(request, all, (medium) => mediumJson(options, medium));
});

async function register(options: SimulatorOptions, account: Account): Promise<Medium> {
  const { store, now } = options;
  const id = newId(options);
  const moment = new Date(now()).toISOString();
  const date = moment.replace(/[-:]|\.\d+/g, '');
  const medium: Medium = {
    id,
    accountId: account.id,
    parameters: {
      'Content-Type': 'multipart/form-data',
      key: `uploads/11/aa/22/3:video:2030:${id}`,
      policy: Buffer.from(JSON.stringify({ expiration: moment })).toString('base64'),
      'x-amz-algorithm': 'AWS4-HMAC-SHA256',
      'x-amz-credential': `ASIASANDBOX/${date.slice(0, 8)}/us-east-1/s3/aws4_request`,
      'x-amz-date': date,
      'x-amz-security-token': newSecret(120),
      'x-amz-signature': Buffer.from(newSecret(32)).toString('hex').slice(0, 64),
    },
    expiresAt: now() + HOUR,
    file: null,
    uploadedAt: null,
    failed: (await settingsOf(options)).failMedia,
  };
  await store.put('medium', id, medium, account.id);
  return medium;
}

/** @throws Refused with 404, also for another account's media */
export async function ownMedium({ store }: SimulatorOptions, account: Account, id = ''): Promise<Medium> {
  const medium = await store.get<Medium>('medium', id);
  if (medium?.accountId === account.id) return medium;
  throw new Refused(refusal(404, 50, 'Media not found'));
}

export function statusOf(options: SimulatorOptions, medium: Medium): string {
  if (medium.uploadedAt === null) return 'registered';
  if (options.now() < medium.uploadedAt + options.processingMs) return 'processing';
  return medium.failed ? 'failed' : 'succeeded';
}

function mediumJson(options: SimulatorOptions, medium: Medium): JsonObject {
  return { media_id: medium.id, media_type: 'video', status: statusOf(options, medium) };
}
