/** An outgoing mail. `key`: idempotency key. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  key?: string | undefined;
  /** URL to unsubscribe at. */
  unsubscribe?: string | undefined;
  attachments?: { name: string; contentType: string; bytes: Buffer }[];
}
/**
 * `send` throws when the mail server did not accept the mail, and UndeliverableError when it never
 * will.
 */
export interface MailGateway {
  readonly name: string;
  send(mail: Mail): Promise<void>;
}
/** The recipient's address was rejected permanently. */
export class UndeliverableError extends Error {
  override name = 'Undeliverable';
}
