import { createTransport } from 'nodemailer';
import type { MailPort } from '../../ports/mail.ts';

/** Mail by SMTP (`SMTP_URL`). */
export function mailSmtp(url: string, from: string): MailPort {
  const transport = createTransport(url);
  return {
    name: 'smtp',
    send: async (mail) => {
      await transport.sendMail({
        from, to: mail.to, subject: mail.subject, text: mail.text, html: mail.html, ...(mail.key ? { messageId: `<${mail.key}@trunkline>` } : {}),
        attachments: mail.attachments?.map((a) => ({ filename: a.name, contentType: a.contentType, content: a.bytes })) ?? [],
      });
    },
  };
}
