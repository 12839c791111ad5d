import { createRequire } from 'node:module';
import type { SendMailOptions } from 'nodemailer';
import { UndeliverableError, type MailGateway, type MailSender } from '../../gateways/mail.ts';

/**
 * How long a mail server may take for a step, so that it does not block other mail. Milliseconds.
 */
const CONNECT_MS = 10_000;
const RESPONSE_MS = 30_000;

/** The sender of a mail in nodemailer's terms; `usual`: the installation's. */
function senderOf(sender: MailSender | undefined, usual: string): SendMailOptions {
  if (!sender) return { from: usual };
  const { name, address, replyTo, dkim } = sender;
  const usualAddress = /<([^>]+)>/.exec(usual)?.[1] ?? usual;
  return {
    from: { name, address: address ?? usualAddress },
    ...(address === null && replyTo !== null && { replyTo: { name, address: replyTo } }),
    ...(dkim && { dkim }),
  };
}

/** Mail by SMTP (`SMTP_URL`). */
export function mailSmtp(url: string, from: string): MailGateway {
  // Loaded only when mail is sent.
  const { createTransport } = createRequire(import.meta.url)(
    'nodemailer',
  ) as typeof import('nodemailer');
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: RESPONSE_MS,
  });
  return {
    name: 'smtp',
    send: async (mail) => {
      try {
        await transport.sendMail({
          ...senderOf(mail.from, from),
          to: mail.to,
          subject: mail.subject,
          ...(mail.cc?.length ? { cc: [...mail.cc] } : {}),
          text: mail.text,
          ...(mail.plain ? {} : { html: mail.html }),
          ...(mail.key ? { messageId: `<${mail.key}@trunkline>` } : {}),
          ...(mail.unsubscribe
            ? { list: { unsubscribe: { url: mail.unsubscribe, comment: 'Unsubscribe' } } }
            : {}),
          ...(mail.oneClick
            ? { headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } }
            : {}),
          attachments:
            mail.attachments?.map((a) => ({
              filename: a.name,
              contentType: a.contentType,
              content: a.bytes,
            })) ?? [],
        });
      } catch (error) {
        const {
          responseCode = 0,
          command,
          message,
        } = error as Error & { responseCode?: number; command?: string };
        // Only a rejected recipient is permanent: a rejected login or sender is fixed by the
        // operator.
        if (command === 'RCPT TO' && responseCode >= 550 && responseCode < 560)
          throw new UndeliverableError(message, { cause: error });
        throw error;
      }
    },
  };
}
