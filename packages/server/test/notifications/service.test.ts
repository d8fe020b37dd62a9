import { expect, test } from 'vitest';
import { addAccount } from '../harness/rows.ts';
import { startService } from '../harness/service.ts';
import { startMailServer } from '../harness/smtp.ts';
import { failPost } from './world.ts';

test('the service mails what failed, and logs no address', async () => {
  await using server = await startMailServer();
  const mail = { smtpUrl: server.url, from: 'reelay@example.org', requireTls: false };
  const service = await startService({ config: { sandbox: false, mail } });
  try {
    const user = await service.newSession();
    expect((await user.get('/user/notifications')).body.data.mail).toEqual({ available: true, address: user.email });
    const account = await addAccount(service.db, user.userId);
    await failPost(service.db, user.userId, [account]);
    const gathered = async () => (await service.db.query('select from notification_mail')).length;
    await expect.poll(gathered, { timeout: 60_000 }).toBe(1);
    server.refuse(true);
    await service.db.clock.advance(60_000);
    const logged = (event: string) => service.logged.filter((line) => line.event === event);
    await expect.poll(() => logged('notifications_not_mailed').length, { timeout: 60_000 }).toBeGreaterThan(0);
    server.refuse(false);
    await expect.poll(() => server.mails.map(({ to }) => to), { timeout: 60_000 }).toEqual([[user.email]]);
    await expect.poll(() => logged('notifications_mailed'), { timeout: 60_000 }).toHaveLength(1);
    expect(logged('notifications_not_mailed')[0]).toMatchObject({ userId: user.userId, responseCode: 550 });
    expect(JSON.stringify(service.logged.filter(({ event }) => String(event).startsWith('notif')))).not.toContain('@');
  } finally {
    await service.close();
  }
});
