/** An outgoing mail. `key`: idempotency key. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  key?: string | undefined;
  /** URL to unsubscribe at. */
  unsubscribe?: string | undefined;
  /** `unsubscribe` takes a POST of `List-Unsubscribe=One-Click` (RFC 8058). */
  oneClick?: boolean | undefined;
  /** More recipients, whom all can see. */
  cc?: readonly string[] | undefined;
  /** Only `text` is sent, for programs that read nothing else. */
  plain?: true | undefined;
  attachments?: { name: string; contentType: string; bytes: Buffer }[];
  /** Whom it is from; without: the address of the installation (`MAIL_FROM`). */
  from?: MailSender | undefined;
}

/** A sender of its own. */
export interface MailSender {
  name: string;
  /** Its verified address; null: the installation's address, under this name. */
  address: string | null;
  /** Where answers go when `address` is null; null: to the installation's. */
  replyTo: string | null;
  /** Signs what comes from `address`. `privateKey`: PEM. */
  dkim: { domainName: string; keySelector: string; privateKey: string } | null;
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
