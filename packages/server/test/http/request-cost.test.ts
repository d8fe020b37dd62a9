import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/app/operations.ts';
import { pictureKey } from '../../src/storage/pictures.ts';
import { uploadKey } from '../../src/uploads/upload-store.ts';
import { type Bound, expectWithin } from '../harness/cost-bound.ts';
import { bodyOf, largestRequest, operationsInOrder } from '../harness/largest-requests.ts';
import { type Client, createClient, type SessionUser, startService, type TestService } from '../harness/service.ts';
import { countWork, explainStatements } from '../harness/work.ts';
import { addWorstUser, type WorstUser } from '../harness/worst-user.ts';
import { smallVideo } from '../post/world.ts';

/** One less than the plan allows. */
const RULES = 99;

/**
 * The most that the largest valid request of each operation may cost, for a user who has as much of everything as one
 * user can have. The work is counted in test/harness/work.ts. Two statements may come on top, for settings that are read
 * again after some seconds. A larger figure needs a reason.
 */
const BOUNDS: Record<string, Bound | null> = {
  generateApiKey: [8, 7, 50, 9, 1],
  platforms: [7, 150, 370, 4, 60],
  listCatalog: [5, 7, 50, 5, 6],
  connectAccount: [7, 8, 310, 19, 1],
  listAttempts: [6, 30, 50, 4, 600],
  getAttempt: [6, 8, 50, 7, 32],
  getAccount: [8, 9, 330, 7, 1],
  editAccount: [13, 10, 340, 10, 1],
  getPostForm: [6, 8, 50, 7, 2],
  listSetup: [5, 7, 50, 7, 8],
  setApplication: [8, 8, 50, 12, 1],
  checkPost: [81, 134, 160, 181, 18],
  listHistory: [18, 125, 9600, 19, null],
  getPost: [6, 8, 3200, 7, 943],
  reposts: [45, 230, 9400, 11, null],
  editRepost: [20, 1106, 15000, 340, 172],
  repostActivity: [9, 61, 320, 19, 126],
  // See catalog-cost.test.ts.
  repostCatalog: null,
  previewRule: [13, 86, 4800, 5999, 204],
  previewRepost: [12, 139, 11000, 6016, 211],
  getMedia: [7, 8, 50, 7, null],
  getSignInOptions: [4, 6, 50, 4, 1],
  searchPosts: [8, 137, 1200, 29, 1686],
  copyVideo: [20, 20, 50, 7, 1],
  getPostVideo: [7, 8, 50, 7, null],
  getUploadVideo: [6, 8, 50, 7, null],
  orderPostPreview: [11, 12, 50, 7, 1],
  getPostPreview: [8, 9, 50, 7, null],
  orderUploadPreview: [11, 12, 50, 7, 1],
  getUploadPreview: [8, 9, 50, 7, null],
  listCalendar: [7, 136, 9300, 15, 1629],
  countCaptions: [6, 58, 80, 505, 7],
  refreshAccount: [13, 13, 670, 7, 1],
  listAccountGroups: [6, 58, 10300, 95, 105],
  saveAccountGroup: [10, 58, 230, 18, 3],
  renameAccountGroup: [11, 8, 220, 11, 3],
  deleteAccountGroup: [6, 7, 50, 7, 1],
  listSnippets: [6, 58, 10300, 105, 110],
  saveSnippet: [9, 58, 230, 20, 5],
  editSnippet: [11, 8, 220, 20, 5],
  deleteSnippet: [6, 7, 50, 7, 1],
  listDrafts: [6, 106, 160, 5, 380],
  getDraft: [5, 7, 50, 7, 170],
  saveDraft: [11, 10, 50, 36, 170],
  deleteDraft: [13, 9, 50, 7, 1],
  moveToDrafts: [34, 220, 3750, 16, 27],
  listNotifications: [9, 137, 9200, 11, 1647],
  countNotifications: [7, 8, 8400, 5, 1],
  readNotifications: [8, 8, 25000, 9, 1],
  getUser: [14, 16, 610, 6, 1],
  editUser: [13, 13, 610, 11, 2],
  getNotificationSettings: [8, 9, 50, 5, 1],
  editNotificationSettings: [10, 9, 50, 14, 1],
  listNotificationChannels: [7, 18, 60, 5, 8],
  addNotificationChannel: [10, 8, 60, 18, 1],
  deleteNotificationChannel: [7, 8, 60, 8, 1],
  testNotificationChannel: [12, 14, 60, 8, 2],
  listSessions: [6, 58, 80, 69, 14],
  listPasskeys: [6, 27, 50, 4, 5],
  renamePasskey: [7, 8, 50, 10, 1],
  getSecondFactor: [6, 8, 50, 4, 1],
  listUsers: [6, 9, 550, 9, 2],
  setUserPlan: [10, 8, 50, 10, 1],
  getQueues: [9, 40, 12000, 6, 2],
  getStorage: [7, 11, 170, 4, 1],
  runDoctor: [20, 40, 340, 12, 4, 12],
  getPlatformSetup: [6, 8, 230, 7, 2],
  checkApplication: [6, 7, 50, 18, 1, 2],
  listAudit: [7, 18, 50, 11, 4],
  getSandbox: [6, 7, 50, 4, 1],
  listSandboxPosts: [6, 7, 50, 12, 1],
  postFromPhone: [10, 9, 50, 534, 1],
  createPost: [29, 289, 1200, 1280, 5],
  addRepost: [22, 65, 500, 76, 1],
  editPost: [34, 400, 2750, 2050, 550],
  cancelSchedule: [17, 170, 3500, 12, 1],
  retryPost: [75, 172, 7100, 36, 838],
  tryNow: [17, 260, 1200, 36, 300],
  stopTrying: [17, 260, 1200, 36, 300],
  deletePost: [18, 171, 4900, 12, 1],
  repostItem: [17, 65, 340, 10, 4],
  pauseRepost: [11, 8, 500, 10, 1],
  deleteRepost: [15, 8, 1600, 7, 1],
  disconnectAccount: [24, 210, 8000, 50, 1],
  connectSandbox: [500, 250, 3800, 77, 2, 60],
  removeApplication: [8, 7, 50, 7, 1],
  suspendUser: [11, 8, 50, 7, 1],
  resumeUser: [10, 8, 50, 7, 1],
  setSandboxFaults: [8, 8, 50, 14, 7],
  resetSandbox: [11, 7, 170, 4, 1],
  getApiKey: [6, 8, 50, 4, 1],
  revokeApiKey: [7, 7, 50, 4, 1],
  revokeSession: [7, 7, 50, 7, 1],
  revokeOtherSessions: [7, 7, 80, 4, 1],
  // A stream without an end.
  liveEvents: null,
};

let service: TestService;
let session: SessionUser;
let user: WorstUser;
let video: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  service = await startService({ config: { role: 'api', leastFreeBytes: 0 } });
  // The first user is the operator.
  session = await service.newSession();
  user = await addWorstUser(service.db, { userId: session.userId, rules: RULES });
  video = new Uint8Array(await readFile(await smallVideo()));
  for (const key of [
    pictureKey(user.filename),
    `videos/${user.post}`,
    `videos/${user.movable}`,
    uploadKey(user.upload, 0),
    `renditions/${user.post}`,
    `renditions/${user.upload}`,
  ])
    await service.context.storage.put(key, Readable.from([video]));
  await clientOf('application/json').get('/user');
  // Loads the German texts and the simulators: Node goes through their sources, unless its compile cache has them.
  await service.context.languages.texts('de');
  const other = await service.newSession();
  expect((await other.post('/accounts/connect-sandbox')).status).toBe(200);
  await explainStatements(service.db, service.client);
});
afterAll(() => service.close());

/** Without validation of responses, which would be counted. */
function clientOf(type: string | null): Client {
  const headers = { cookie: session.cookie, 'x-reelay-csrf': '1' };
  return createClient(service.url, null, type ? { ...headers, 'content-type': type } : headers);
}

test('every operation has bounds', () => {
  expect(Object.keys(BOUNDS).toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted());
});

test.each(operationsInOrder().filter(({ id }) => BOUNDS[id]))(
  'the largest $id stays within its bounds',
  async (operation) => {
    const request = largestRequest(operation, user);
    const body = bodyOf(request, video);
    const client = clientOf(typeof body === 'string' ? 'application/json' : null);
    const { result, work } = await countWork(() =>
      client.call(request.method, request.path, { query: request.query, body }),
    );
    expect([result.status, result.status === 200 ? null : result.body]).toEqual([200, null]);
    expectWithin(BOUNDS[operation.id] ?? [0, 0, 0, 0, 0], work, result.bytes.length);
  },
);
