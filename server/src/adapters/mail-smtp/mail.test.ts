import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { mailSmtp } from './mail.ts';

test('mail leaves by SMTP with its sender, recipient and words', async () => {
  const got: { from: string; to: string; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        got.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo[0]?.address ?? '', text });
        done();
      });
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  try {
    const mail = mailSmtp(
      `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
      'Trunkline <no-reply@trunkline.test>',
    );
    await mail.send({
      to: 'ada@example.test',
      subject: 'Set a new password',
      text: 'Here is your link.',
      html: '<p>Here is your link.</p>',
      key: 'reset-1',
      unsubscribe: 'https://calls.example.com/api/report-mails/stop/1-2-x',
      oneClick: true,
    });
    expect(got).toHaveLength(1);
    expect(got[0]).toMatchObject({ from: 'no-reply@trunkline.test', to: 'ada@example.test' });
    expect(got[0]!.text).toContain('Set a new password');
    expect(got[0]!.text).toMatch(
      /^List-Unsubscribe: <https:\/\/calls\.example\.com\/api\/report-mails\/stop\/1-2-x>/m,
    );
    expect(got[0]!.text).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
  } finally {
    server.close();
  }
});
