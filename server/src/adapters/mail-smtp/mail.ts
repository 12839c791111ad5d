import { createRequire } from 'node:module';
import type { MailPort } from '../../ports/mail.ts';

/** Mail by SMTP (`SMTP_URL`). */
export function mailSmtp(url: string, from: string): MailPort {
  // Loaded only where mail leaves this machine.
  const { createTransport } = createRequire(import.meta.url)('nodemailer') as typeof import('nodemailer');
  const transport = createTransport(url);
  return {
    name: 'smtp',
    send: async (mail) => {
      await transport.sendMail({
        from, to: mail.to, subject: mail.subject, text: mail.text, html: mail.html, ...(mail.key ? { messageId: `<${mail.key}@trunkline>` } : {}),
        ...(mail.unsubscribe ? { list: { unsubscribe: { url: mail.unsubscribe, comment: 'No more mails' } } } : {}),
        attachments: mail.attachments?.map((a) => ({ filename: a.name, contentType: a.contentType, content: a.bytes })) ?? [],
      });
    },
  };
}
